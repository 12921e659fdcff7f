#!/bin/bash
# Submitty runs this in its working folder: what the grader wrote in the test case's folder is the result. Without it, that is
# a failure of the validator, which is logged for instructors.
prefix=$(sed -n 's/.*"testcase_prefix" *: *"\([^"]*\)".*/\1/p' custom_validator_input.json)
if [ -s "${prefix}cudalabs.json" ]; then
  cp "${prefix}cudalabs.json" validation_results.json
else
  printf '{"status": "failure", "message": "@LAB@: the grader wrote no result"}\n' >validation_results.json
fi
