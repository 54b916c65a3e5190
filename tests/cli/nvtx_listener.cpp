// A minimal profiler for NVTX's ranges, which NVTX loads if NVTX_INJECTION64_PATH names it. It
// writes "domain wayfront" to the file that NVTX_LISTENER_OUTPUT names when that domain is made,
// and "begin NAME" and "end" for each of the domain's ranges. CUDA's libraries have domains of
// their own, which are ignored.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <nvtx3/nvToolsExt.h>

namespace {

std::FILE* output()
{
    static std::FILE* const file = std::fopen(std::getenv("NVTX_LISTENER_OUTPUT"), "w");
    return file;
}

int domains[2];  // their addresses are the handles of other domains and of wayfront's

nvtxDomainHandle_t handle(bool ours)
{
    return reinterpret_cast<nvtxDomainHandle_t>(&domains[ours ? 1 : 0]);
}

nvtxDomainHandle_t create(const char* name)
{
    const bool ours = std::string_view(name) == "wayfront";
    if (ours) std::fprintf(output(), "domain %s\n", name);
    return handle(ours);
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes)
{
    if (domain == handle(true)) std::fprintf(output(), "begin %s\n", attributes->message.ascii);
    return 0;
}

int pop(nvtxDomainHandle_t domain)
{
    if (domain != handle(true)) return 0;
    std::fprintf(output(), "end\n");
    std::fflush(output());
    return 0;
}

}  // namespace

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table)
{
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned int size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
    *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create);
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
    *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
    return 1;
}
