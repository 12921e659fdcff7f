# Runs two builds of abi_probe; they must print the same.
foreach(probe IN ITEMS OURS TOOLKIT)
  execute_process(COMMAND "${${probe}}" OUTPUT_VARIABLE ${probe}_text COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT OURS_text STREQUAL TOOLKIT_text)
  message(FATAL_ERROR "the headers disagree with the toolkit's\n--- ours\n${OURS_text}\n--- toolkit\n${TOOLKIT_text}")
endif()
