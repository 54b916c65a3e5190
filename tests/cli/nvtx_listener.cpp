// A profiler, as far as NVTX's ranges go: loaded by NVTX_INJECTION64_PATH, it writes "domain NAME", and "begin NAME" and "end" for each range, into
// the file that NVTX_LISTENER_OUTPUT names.
#include <cstdio>
#include <cstdlib>

#include <nvtx3/nvToolsExt.h>

namespace {

std::FILE* output()
{
    static std::FILE* const file = std::fopen(std::getenv("NVTX_LISTENER_OUTPUT"), "w");
    return file;
}

int the_domain = 0;

nvtxDomainHandle_t create(const char* name)
{
    std::fprintf(output(), "domain %s\n", name);
    return reinterpret_cast<nvtxDomainHandle_t>(&the_domain);
}

int push(nvtxDomainHandle_t /*domain*/, const nvtxEventAttributes_t* attributes)
{
    std::fprintf(output(), "begin %s\n", attributes->message.ascii);
    return 0;
}

int pop(nvtxDomainHandle_t /*domain*/)
{
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
