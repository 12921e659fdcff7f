#!/bin/sh
# A step of the workflow. When the grader fails it has no output `result`, and the reporter is not started: the points stay
# as they were.
#
# The report goes to the job's log and may quote what the submission printed, so no line of it may be taken for a command.
token=$(cat /proc/sys/kernel/random/uuid)
echo "::stop-commands::$token"
status=0
cudalabs-grade host github-classroom @LAB@ . "$GITHUB_OUTPUT" || status=$?
echo "::$token::"
exit "$status"
