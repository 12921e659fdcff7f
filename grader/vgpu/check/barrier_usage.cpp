// Merging by source place, and the choice of the barriers that may go.
#include "vgpu/check/barrier_usage.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "vgpu/check/finding_text.h"
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu {

namespace {

using Need = std::vector<std::uint32_t>;

auto key(const BarrierUsage::Site& site) {
  return std::tie(site.kernel, site.where.file, site.where.line, site.where.column);
}
bool before(const BarrierUsage::Site& a, const BarrierUsage::Site& b) {
  return key(a) < key(b);
}

/// Adds the sites of `from` to `sites` and says where each of them went.
std::vector<std::uint32_t> renumber(const std::vector<BarrierUsage::Site>& sites,
                                    const std::vector<BarrierUsage::Site>& from) {
  std::vector<std::uint32_t> index;
  for (const auto& site : from) {
    index.push_back(
        static_cast<std::uint32_t>(std::lower_bound(sites.begin(), sites.end(), site, before) - sites.begin()));
  }
  return index;
}

/// Keeps the needs that say something: sorted, without duplicates and supersets.
std::vector<Need> minimal(std::vector<Need> needs) {
  for (Need& need : needs) {
    std::sort(need.begin(), need.end());
    need.erase(std::unique(need.begin(), need.end()), need.end());
  }
  std::sort(needs.begin(), needs.end(),
            [](const Need& a, const Need& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
  std::vector<Need> result;
  for (Need& need : needs) {
    const bool implied = std::any_of(result.begin(), result.end(), [&](const Need& known) {
      return std::includes(need.begin(), need.end(), known.begin(), known.end());
    });
    if (!implied) result.push_back(std::move(need));
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Whether `usage` has all sites of `other`, which are at `index`, and all its needs: most launches are like one before,
// and cost no more than these look-ups.
bool knows(const BarrierUsage& usage, const BarrierUsage& other, const std::vector<std::uint32_t>& index) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] == usage.sites.size() || key(usage.sites[index[i]]) != key(other.sites[i])) return false;
  }
  return std::ranges::all_of(other.needs, [&](Need need) {
    for (std::uint32_t& site : need) site = index[site];
    return std::ranges::binary_search(usage.needs, need);
  });
}

}  // namespace

void BarrierUsage::merge(const BarrierUsage& other) {
  if (const auto index = renumber(sites, other.sites); knows(*this, other, index)) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      sites[index[i]].executed += other.sites[i].executed;
      sites[index[i]].judged |= other.sites[i].judged;
    }
    return;
  }
  std::vector<Site> all = sites;
  all.insert(all.end(), other.sites.begin(), other.sites.end());
  std::stable_sort(all.begin(), all.end(), before);
  std::vector<Site> merged;
  for (Site& site : all) {
    if (!merged.empty() && key(merged.back()) == key(site)) {
      merged.back().executed += site.executed;
      merged.back().judged |= site.judged;
    } else {
      merged.push_back(std::move(site));
    }
  }
  std::vector<Need> all_needs;
  for (const BarrierUsage* usage : {static_cast<const BarrierUsage*>(this), &other}) {
    const auto index = renumber(merged, usage->sites);
    for (Need need : usage->needs) {
      for (std::uint32_t& site : need) site = index[site];
      all_needs.push_back(std::move(need));
    }
  }
  sites = std::move(merged);
  needs = minimal(std::move(all_needs));
}

std::vector<Finding> BarrierUsage::advice() const {
  std::vector<bool> kept(sites.size());
  for (const Need& need : needs) {
    if (need.size() == 1) kept[need.front()] = true;
  }
  // What several barriers could do is left to the first of them in the text: the later one is the one too many.
  for (const Need& need : needs) {
    if (std::none_of(need.begin(), need.end(), [&](std::uint32_t site) { return kept[site]; }))
      kept[need.front()] = true;
  }
  std::vector<Finding> result;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!kept[i] && sites[i].judged && sites[i].executed != 0 && !ptx::is_of_toolkit(sites[i].where.file)) {
      result.push_back(redundant_barrier(sites[i].kernel, sites[i].where, sites[i].executed));
    }
  }
  return result;
}

}  // namespace cudalabs::vgpu
