#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Origins that were not there before, such as logical volumes in an encrypted partition. Without systemd it is the only try.
if [ -n "${DRACUT_SYSTEMD-}" ]; then
	rx-up
else
	rx-up --wait
fi
