# Makes the report of measure.sh: awk -v form=json|markdown -f report.awk facts.tsv programs.tsv runs.tsv
#
# A mutant with a bug counts as found by a tool that reports anything of it, be it before a time-out. The virtual GPU names what it finds, so its
# findings are also held against the bug's kind. A program in order that anything is reported of is accused falsely.

BEGIN {
  FS = "\t"
  tools = split("native memcheck racecheck synccheck initcheck vgpu", tool, " ")
  name_of["native"] = "wrong result"
  name_of["vgpu"] = "virtual GPU"
  kind["race"] = "shared-race|global-race"
  kind["barrier"] = "barrier-divergence|shuffle-from-inactive-lane"
  kind["bounds"] = "global-out-of-bounds|shared-out-of-bounds|local-out-of-bounds|constant-out-of-bounds|null-pointer-dereference|host-pointer-dereference|misaligned-access"
  kind["uninitialised"] = "uninitialized-read"
  kind["order"] = "stream-race|host-race|early-refill"
  kind["lifetime"] = "use-after-free|invalid-free"
  kind["leak"] = "memory-leak"
}

FILENAME != before { ++file; before = FILENAME }
file == 1 { fact[++facts] = $1; value[$1] = $2; next }
file == 2 { program[++programs] = $1; rule[$1] = $3; truth[$1] = $4; next }
{ outcome[$1, $2] = $3 == "timed-out" && $4 != "" ? "reported" : $3; late[$1, $2] = $3 == "timed-out"; said[$1, $2] = $4; code[$1, $2] = $5; seconds[$1, $2] = $6; ran[$2] = 1 }

function is_sanitizer(t) { return t != "native" && t != "vgpu" }

# What a row of programs gets: whether a tool has reported something.
function count(group, name,   i, t, any) {
  if (!(group in number)) groups[++group_count] = group
  ++number[group]
  for (i = 1; i <= tools; ++i) {
    t = tool[i]
    if (outcome[name, t] == "reported") ++reported[group, t]
    if (is_sanitizer(t) && outcome[name, t] == "reported") any = 1
  }
  if (any) ++reported[group, "any"]
}

# Whether the virtual GPU's findings have one of the kinds that the truth names.
function named(name,   n, i, kinds) {
  n = split(truth[name], kinds, "|")
  for (i = 1; i <= n; ++i)
    if (said[name, "vgpu"] ~ ("\\[(" kind[kinds[i]] ")\\]")) return 1
  return 0
}

function sanitized(name,   i) {
  for (i = 1; i <= tools; ++i)
    if (is_sanitizer(tool[i]) && outcome[name, tool[i]] == "reported") return 1
  return 0
}

function cell(group, t) { return t == "any" || ran[t] ? reported[group, t] + 0 : "" }

function row(title, group,   i, text) {
  text = "| " title " | " number[group] + 0
  for (i = 1; i < tools; ++i) text = text " | " cell(group, tool[i])
  print text " | " (ran["memcheck"] ? cell(group, "any") : "") " | " cell(group, "vgpu") " |"
}

function heading(first,   i, text, line) {
  text = "| " first " | programs"
  line = "|---|--:"
  for (i = 1; i < tools; ++i) {
    text = text " | " (tool[i] in name_of ? name_of[tool[i]] : tool[i])
    line = line "|--:"
  }
  print text " | any of the four | virtual GPU |"
  print line "|--:|--:|"
}

function rows(prefix,   i, title) {
  for (i = 1; i <= group_count; ++i) {
    if (index(groups[i], prefix) != 1) continue
    title = substr(groups[i], length(prefix) + 1)
    gsub(/[|]/, " or ", title)
    row(title, groups[i])
  }
}

# Orders the groups by their names.
function sort_groups(   i, j, swap) {
  for (i = 2; i <= group_count; ++i)
    for (j = i; j > 1 && groups[j] < groups[j - 1]; --j) { swap = groups[j]; groups[j] = groups[j - 1]; groups[j - 1] = swap }
}

function label(text) { gsub(/_/, " ", text); return text }

function told(name, t) { return t ": " outcome[name, t] (said[name, t] != "" ? " (" said[name, t] ")" : "") }

function list(title, want,   i, j, n, text) {
  for (i = 1; i <= programs; ++i) {
    if (picked[want, program[i]] != 1) continue
    if (!n++) print "\n" title "\n"
    text = truth[program[i]]
    gsub(/[|]/, " or ", text)
    text = "- `" program[i] "` (" text ")"
    for (j = 1; j <= tools; ++j)
      if (ran[tool[j]] && outcome[program[i], tool[j]] != "silent") text = text "; " told(program[i], tool[j])
    print text
  }
}

function total_of(t,   i, sum) {
  for (i = 1; i <= programs; ++i) sum += seconds[program[i], t]
  return sum
}

function longest_of(t,   i, most) {
  for (i = 1; i <= programs; ++i) if (seconds[program[i], t] > most) most = seconds[program[i], t]
  return most
}

function outcomes_of(t, what,   i, n) {
  for (i = 1; i <= programs; ++i) if (what == "timed-out" ? late[program[i], t] : outcome[program[i], t] == what) ++n
  return n + 0
}

function runs_of(t,   i, n) {
  for (i = 1; i <= programs; ++i) if (outcome[program[i], t] != "") ++n
  return n + 0
}

function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }

function write_markdown(   i, name, t) {
  print "# Kernels, their mutants, and the labs' samples, under compute-sanitizer and under the virtual GPU\n"
  print "Made by `grader/bench/mutants/measure.sh`, which says what the words mean.\n"
  for (i = 1; i <= facts; ++i) print "- " label(fact[i]) ": " value[fact[i]]
  print "\n## Programs with a bug: found, by rule\n"
  heading("rule")
  rows("rule ")
  row("all", "buggy")
  print "\n## Programs with a bug: found, by what is broken\n"
  heading("broken")
  rows("truth ")
  print "\nOf the " reported["buggy", "vgpu"] + 0 " that the virtual GPU has found, " by_name + 0 " have a finding of the kind that the mark says."
  print "\n## Programs in order: accused\n"
  heading("programs")
  rows("clean ")
  row("all", "clean")
  print "\n## Time\n"
  print "| tool | programs | timed out | failed | seconds a run, mean | longest |"
  print "|---|--:|--:|--:|--:|--:|"
  for (i = 1; i <= tools; ++i) {
    t = tool[i]
    if (!ran[t]) continue
    name = runs_of(t)
    printf "| %s | %d | %d | %d | %.2f | %.2f |\n", t == "native" ? "none" : t, name, outcomes_of(t, "timed-out"), outcomes_of(t, "failed"), total_of(t) / name, longest_of(t)
  }
  list("## Missed by the virtual GPU", "missed")
  list("## Found by the virtual GPU, but under another name", "other name")
  list("## Accused, and in order", "accused")
  list("## Found by compute-sanitizer only", "sanitizer only")
  list("## Timed out or failed", "odd")
}

function write_json(   i, j, t, name, comma) {
  printf "{"
  for (i = 1; i <= facts; ++i) printf "%s:%s,", quoted(fact[i]), value[fact[i]] ~ /^[0-9]+$/ ? value[fact[i]] : quoted(value[fact[i]])
  printf "\"command\":\"grader/bench/mutants/measure.sh\",\"tools\":["
  for (i = 1; i <= tools; ++i) {
    t = tool[i]
    if (!ran[t]) continue
    printf "%s\n {\"tool\":%s,\"bugs\":%d,\"found\":%d,\"in_order\":%d,\"accused\":%d,\"timed_out\":%d,\"failed\":%d,\"seconds\":%.1f}", comma, quoted(t), number["buggy"],
      reported["buggy", t], number["clean"], reported["clean", t], outcomes_of(t, "timed-out"), outcomes_of(t, "failed"), total_of(t)
    comma = ","
  }
  printf "],\"programs\":["
  comma = ""
  for (i = 1; i <= programs; ++i) {
    name = program[i]
    if (!measured[name]) continue
    printf "%s\n {\"program\":%s,\"rule\":%s,\"truth\":%s", comma, quoted(name), quoted(rule[name]), quoted(truth[name])
    for (j = 1; j <= tools; ++j) {
      t = tool[j]
      if (outcome[name, t] == "") continue
      printf ",\"%s\":[%s,%s,%d,%.2f]", t, quoted(outcome[name, t]), quoted(said[name, t]), code[name, t], seconds[name, t]
    }
    printf "}"
    comma = ","
  }
  print "]}"
}

END {
  for (i = 1; i <= programs; ++i) {
    name = program[i]
    is_clean = truth[name] == "none"
    seen = ""
    for (j = 1; j <= tools; ++j) seen = seen outcome[name, tool[j]] (late[name, tool[j]] ? " timed-out" : "")
    if (seen == "") continue
    measured[name] = 1
    if (is_clean) {
      count("clean", name)
      count("clean " rule[name], name)
      if (outcome[name, "vgpu"] == "reported" || sanitized(name)) picked["accused", name] = 1
    } else {
      count("buggy", name)
      count("rule " rule[name], name)
      count("truth " truth[name], name)
      if (ran["vgpu"] && outcome[name, "vgpu"] != "reported") picked["missed", name] = 1
      if (outcome[name, "vgpu"] == "reported" && named(name)) ++by_name
      if (outcome[name, "vgpu"] == "reported" && !named(name)) picked["other name", name] = 1
      if (outcome[name, "vgpu"] != "reported" && sanitized(name)) picked["sanitizer only", name] = 1
    }
    if (seen ~ /timed-out|failed/) picked["odd", name] = 1
  }
  sort_groups()
  if (form == "json") write_json()
  else write_markdown()
}
