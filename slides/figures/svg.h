// The pen of the figures is that of the reports.
#pragma once

#include "report/svg.h"
