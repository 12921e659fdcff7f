#!/bin/sh
# A step of the workflow. When the grader fails it has no output `result`, and the reporter is not started: the points stay
# as they were.
exec cudalabs-grade host github-classroom @LAB@ . "$GITHUB_OUTPUT"
