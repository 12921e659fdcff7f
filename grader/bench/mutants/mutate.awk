# Writes the mutants of kernels: awk -v out=FOLDER -f mutate.awk KERNEL.cu...
#
# A kernel marks its places itself, in comments above the line that changes:
#
#   // MUTANT RULE [`TEXT` [-> `TEXT`]] (TRUTH): why.
#
# TRUTH is what the mutant breaks, `none` where it stays in order, or several joined by `|` where any of them may be
# told: race, barrier, bounds, uninitialised, order (between streams, copies and the host), lifetime (of memory), leak.
# The rules stand in rules() below. A line with two texts has one replaced by the other.
#
# FOLDER gets KERNEL.cu, KERNEL.RULE.cu for each mark (KERNEL.RULE-2.cu for a rule's second one) and mutants.tsv, a line
# a program: its name, kernel, rule, truth, the line of the mark. Lines keep their numbers up to the place that changes.

function rules() {
  # What a rule does, and what its statement must have in it.
  rule("barrier-deleted", "delete", "__sync(threads|warp)[(]")
  rule("fence-dropped", "delete", "__threadfence[(]")
  rule("initialisation-skipped", "delete", "=|cudaMem|memcpy")
  rule("order-dropped", "delete", order)
  rule("free-forgotten", "delete", "cudaFree")
  rule("launch-dropped", "delete", "<<<")
  rule("barrier-duplicated", "duplicate", "__sync(threads|warp)[(]")
  rule("fence-duplicated", "duplicate", "__threadfence[(]")
  rule("order-duplicated", "duplicate", order)
  rule("free-duplicated", "duplicate", "cudaFree")
  # By so many lines of code, up where the number is negative.
  rule("barrier-moved", "move", "__sync(threads|warp)[(]")
  rule("fence-moved", "move", "__threadfence[(]")
  rule("order-moved", "move", order)
  rule("free-early", "move", "cudaFree")
  rule("launch-moved", "move", "<<<")
  rule("barrier-guarded", "guard", "^ *__sync(threads|warp)[(]")  # if (TEXT) before it
  rule("early-return", "return", "")                             # if (TEXT) return; in a line before it
  rule("guard-dropped", "unguard", "^ *if [(]")                  # the statement without its if, or no `if (...) return;`
  rule("atomic-weakened", "plain", "atomic(Add|Exch)[(]")        # atomicAdd(&a, b) becomes a += b, atomicExch a = b
  rule("atomic-narrowed", "narrow", "atomic[A-Z][A-Za-z]*[(]")   # an atomic of block scope
  rule("copy-shortened", "halve", "cudaMemcpy")                  # half of the bytes
  fixed("barrier-weakened", "__syncthreads()", "__syncwarp()")
  fixed("barrier-strengthened", "__syncwarp()", "__syncthreads()")
  fixed("fence-weakened", "__threadfence()", "__threadfence_block()")
  fixed("fence-strengthened", "__threadfence()", "__threadfence_system()")
  # With two texts only.
  rule("off-by-one", "", "")
  rule("index-swapped", "", "")
  rule("unequal-trips", "", "")
  rule("mask-changed", "", "_sync[(]")
  rule("shuffle-guarded", "", "")
  rule("allocation-shortened", "", "cudaMalloc|<<<")
  rule("grid-changed", "", "<<<")
  rule("stream-changed", "", "Async|<<<")
  rule("order-strengthened", "", order)
}

function rule(name, does, needs) { action[name] = does; needed[name] = needs }
function fixed(name, old, new) { action[name] = "replace"; needed[name] = ""; old_text[name] = old; new_text[name] = new }

function fail(line, message) {
  printf "%s:%d: %s\n", file, line, message > "/dev/stderr"
  failed = 1
  exit 1
}

# Where the parenthesis at `at` of `text` closes.
function closing(text, at,   depth, c) {
  for (depth = 0; at <= length(text); ++at) {
    c = substr(text, at, 1)
    if (c == "(" || c == "[") ++depth
    if ((c == ")" || c == "]") && --depth == 0) return at
  }
  return 0
}

# Splits the arguments of the call whose parenthesis opens at `open` into arguments[1..]; gives how many there are.
function split_arguments(text, open,   end, at, depth, c, n) {
  end = closing(text, open)
  n = 1
  arguments[1] = ""
  depth = 0
  for (at = open + 1; at < end; ++at) {
    c = substr(text, at, 1)
    if (c == "(" || c == "[") ++depth
    if (c == ")" || c == "]") --depth
    if (c == "," && depth == 0) { arguments[++n] = ""; continue }
    arguments[n] = arguments[n] c
  }
  for (at = 1; at <= n; ++at) sub(/^ +/, "", arguments[at])
  return n
}

# `text` with its only `old` replaced.
function replaced(text, old, new, mark,   at) {
  at = index(text, old)
  if (at == 0) fail(mark, "`" old "` is not in the line that the mark is for")
  if (index(substr(text, at + 1), old) != 0) fail(mark, "`" old "` is there more than once")
  return substr(text, 1, at - 1) new substr(text, at + length(old))
}

function indent_of(text) { match(text, /^ */); return substr(text, 1, RLENGTH) }

# A place behind a pointer's name or an address: what an atomic's first argument means as a plain variable.
function plain_place(argument) { return substr(argument, 1, 1) == "&" ? substr(argument, 2) : "*" argument }

function without_atomic(text, mark,   at, open, end, call, place, before) {
  match(text, /atomic(Add|Exch)[(]/)
  at = RSTART
  call = substr(text, RSTART, RLENGTH - 1)
  open = RSTART + RLENGTH - 1
  end = closing(text, open)
  if (substr(text, end + 1) != ";") fail(mark, "the atomic is no statement of its own; the mark needs two texts")
  split_arguments(text, open)
  place = plain_place(arguments[1])
  before = substr(text, 1, at - 1)
  if (before ~ /= $/) return before place "; " place (call == "atomicAdd" ? " += " : " = ") arguments[2] ";"
  return before place (call == "atomicAdd" ? " += " : " = ") arguments[2] ";"
}

function without_guard(text, mark,   end, rest) {
  end = closing(text, index(text, "("))
  rest = substr(text, end + 2)
  return rest == "return;" || rest == "continue;" ? "" : indent_of(text) rest
}

# The code line `count` lines of code away from `from`; comments do not count.
function code_line(from, count, mark,   at, step) {
  step = count < 0 ? -1 : 1
  for (at = from; count != 0; count -= step) {
    do at += step; while (at >= 1 && at <= lines && line[at] ~ /^ *\/\//)
    if (at < 1 || at > lines) fail(mark, "moved out of the file")
  }
  return at
}

function copy_lines(from, to, target,   at) {
  for (at = from; at <= to; ++at) print line[at] > target
}

# Writes the mutant of the mark at `mark` for the statement in lines first..last.
function write_mutant(mark, first, last, name, rule_name, old, new,   target, statement, at, does, words, number, to) {
  target = out "/" name ".cu"
  statement = line[first]
  for (at = first + 1; at <= last; ++at) statement = statement "\n" line[at]
  does = new != "\001" ? "replace" : action[rule_name]
  if (does == "") fail(mark, rule_name " needs two texts")
  if ((new == "\001" || action[rule_name] == "") && statement !~ needed[rule_name])
    fail(mark, rule_name " does not fit the line behind the mark")
  if (does == "move") {
    number = old + 0
    if (number == 0) fail(mark, rule_name " needs a number of lines")
    to = number > 0 ? code_line(last, number, mark) : code_line(first, number, mark)
    if (number > 0) {
      copy_lines(1, first - 1, target)
      copy_lines(last + 1, to, target)
      print statement > target
      copy_lines(to + 1, lines, target)
    } else {
      copy_lines(1, to - 1, target)
      print statement > target
      copy_lines(to, first - 1, target)
      copy_lines(last + 1, lines, target)
    }
    close(target)
    return
  }
  if (does == "replace" && new == "\001") { old = old_text[rule_name]; new = new_text[rule_name] }
  if (does == "delete") words = ""
  if (does == "duplicate") words = statement "\n" statement
  if (does == "replace") words = replaced(statement, old, new, mark)
  if (does == "guard") words = indent_of(statement) "if (" old ") " substr(statement, length(indent_of(statement)) + 1)
  if (does == "return") words = indent_of(statement) "if (" old ") return;\n" statement
  if (does == "unguard") words = without_guard(statement, mark)
  if (does == "plain") words = without_atomic(statement, mark)
  if (does == "narrow") {
    match(statement, /atomic[A-Z][A-Za-z]*[(]/)
    words = substr(statement, 1, RSTART + RLENGTH - 2) "_block" substr(statement, RSTART + RLENGTH - 1)
  }
  if (does == "halve") {
    split_arguments(statement, index(statement, "cudaMemcpy") + match(substr(statement, index(statement, "cudaMemcpy")), /[(]/) - 1)
    words = replaced(statement, ", " arguments[3] ", cudaMemcpy", ", (" arguments[3] ") / 2, cudaMemcpy", mark)
  }
  copy_lines(1, first - 1, target)
  if (words != "") print words > target
  copy_lines(last + 1, lines, target)
  close(target)
}

# The mark that begins at `mark`, its text in one line: sets parsed["rule"], ["old"], ["new"], ["truth"].
function parse(text, mark,   at) {
  sub(/^ *\/\/ MUTANT /, "", text)
  match(text, /^[a-z-]+/)
  parsed["rule"] = substr(text, 1, RLENGTH)
  if (!(parsed["rule"] in action)) fail(mark, "no rule has the name `" parsed["rule"] "`")
  text = substr(text, RLENGTH + 2)
  parsed["old"] = ""
  parsed["new"] = "\001"
  if (substr(text, 1, 1) == "`") {
    at = index(substr(text, 2), "`")
    parsed["old"] = substr(text, 2, at - 1)
    text = substr(text, at + 3)
    if (substr(text, 1, 4) == "-> `") {
      text = substr(text, 5)
      at = index(text, "`")
      parsed["new"] = substr(text, 1, at - 1)
      text = substr(text, at + 2)
    }
  }
  if (text !~ /^[(][a-z|]+[)]: ./) fail(mark, "(TRUTH): and a reason are missing")
  parsed["truth"] = substr(text, 2, index(text, ")") - 2)
}

function mutate_file(   at, first, last, text, name, kernel, seen, end) {
  kernel = file
  sub(/^.*\//, "", kernel)
  sub(/\.cu$/, "", kernel)
  copy_lines(1, lines, out "/" kernel ".cu")
  close(out "/" kernel ".cu")
  print kernel "\t" kernel "\tkernel\tnone\t0" > list
  for (at = 1; at <= lines; ++at) {
    if (line[at] !~ /^ *\/\/ MUTANT /) continue
    text = line[at]
    for (end = at + 1; line[end] ~ /^ *\/\// && line[end] !~ /^ *\/\/ MUTANT /; ++end) {
      line_part = line[end]
      sub(/^ *\/\//, "", line_part)
      text = text line_part
    }
    first = end
    while (line[first] ~ /^ *\/\//) ++first
    last = first
    while (last < lines && line[last] !~ /[;{}]$/) ++last
    if (text ~ / MUTANT .* MUTANT /) fail(at, "two marks in one comment: each begins a line")
    parse(text, at)
    name = kernel "." parsed["rule"]
    if (++seen[name] > 1) name = name "-" seen[name]
    write_mutant(at, first, last, name, parsed["rule"], parsed["old"], parsed["new"])
    print name "\t" kernel "\t" parsed["rule"] "\t" parsed["truth"] "\t" at > list
  }
}

BEGIN {
  order = "cudaStreamWaitEvent|cudaEventRecord|Synchronize|__pipeline_wait_prior|wait[(]|arrive[(]"
  rules()
  list = out "/mutants.tsv"
}
FNR == 1 && NR > 1 { mutate_file() }
FNR == 1 { file = FILENAME; lines = 0 }
{ line[++lines] = $0 }
END { if (!failed) mutate_file() }
