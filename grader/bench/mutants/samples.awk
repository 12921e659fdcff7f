# The labs' samples as programs of measure.sh: awk -f samples.awk SAMPLE.cu..., a line each like those of mutate.awk.
#
# What a sample breaks is what its first line expects of a grading: findings of access, order and initialisation. Wrong
# samples that expect other things, such as a wrong result alone, are left out; right ones are in order. Left out are also
# those whose mistake a small run does not come to.

BEGIN {
  kind["shared-race"] = kind["global-race"] = "race"
  kind["barrier-divergence"] = kind["shuffle-from-inactive-lane"] = "barrier"
  kind["global-out-of-bounds"] = kind["shared-out-of-bounds"] = kind["local-out-of-bounds"] = "bounds"
  kind["null-pointer-dereference"] = kind["host-pointer-dereference"] = kind["misaligned-access"] = "bounds"
  kind["uninitialized-read"] = "uninitialised"
  kind["use-after-free"] = kind["invalid-free"] = "lifetime"
  # Calls of CUDA would have to fail.
  left_out["lab1.wrong.allocation_unchecked"] = left_out["lab1.wrong.leak_on_failure"] = 1
  left_out["lab5.wrong.leak_after_a_failure"] = left_out["lab5.wrong.leak_of_integers"] = 1
  # 32,768 rows, and 2^18 numbers.
  left_out["lab3.wrong.packed_row_column"] = left_out["lab5.wrong.fixed_partials_overrun"] = 1
  # The runner would have to measure.
  left_out["lab6.wrong.events_left_behind"] = 1
  kind["stream-race"] = kind["host-race"] = kind["early-refill"] = "order"
}
FNR == 1 {
  parts = split(FILENAME, part, "/")
  lab = substr(part[parts - 2], 1, index(part[parts - 2], "_") - 1)
  name = lab "." part[parts - 1] "." substr(part[parts], 1, length(part[parts]) - 3)
  truth = ""
  if (part[parts - 1] == "alternative" && $0 !~ / with /) truth = "none"
  if (part[parts - 1] == "wrong" && /no_leaks/) truth = "leak"
  if (part[parts - 1] == "wrong" && !/score </) {
    gsub(/.*EXPECT: |,/, " ")
    found = split($0, expected, " ")
    for (i = 1; i <= found; ++i)
      if (expected[i] in kind && index("|" truth "|", "|" kind[expected[i]] "|") == 0)
        truth = truth (truth == "" ? "" : "|") kind[expected[i]]
  }
  if (truth != "" && !(name in left_out)) print name "\t" lab "\tlab-sample\t" truth "\t" FILENAME
}
