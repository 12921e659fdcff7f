# The labs' samples as programs of measure.sh: awk -f samples.awk SAMPLE.cu..., a line each like those of mutate.awk.
#
# What a sample breaks is what its first line expects of a grading: findings of access, order and initialisation. Wrong
# samples that expect other things, such as a wrong result alone, are left out; right ones are in order.

BEGIN {
  kind["shared-race"] = kind["global-race"] = "race"
  kind["barrier-divergence"] = kind["shuffle-from-inactive-lane"] = "barrier"
  kind["global-out-of-bounds"] = kind["shared-out-of-bounds"] = kind["local-out-of-bounds"] = "bounds"
  kind["null-pointer-dereference"] = kind["host-pointer-dereference"] = kind["misaligned-access"] = "bounds"
  kind["uninitialized-read"] = "uninitialised"
  kind["use-after-free"] = kind["invalid-free"] = "lifetime"
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
  if (truth != "") print name "\t" lab "\tlab-sample\t" truth "\t" FILENAME
}
