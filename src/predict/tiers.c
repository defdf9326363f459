#include "predict/tiers.h"

const char *const tier_names[TIER_COUNT] = {
#define X(id, name) [TIER_##id] = name,
        TIERS(X)
#undef X
};
