#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The root file system is looked for and not there yet: origins may have come that it is made of.
rx-up
