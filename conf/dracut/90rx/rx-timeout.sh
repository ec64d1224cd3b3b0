#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# It has not come in time. What may be held back for a cache is tried without one.
rx-up --give-up
