#include "report/html.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "session/output/json.hpp"

namespace wayfront::report {

namespace {

/// `text` with U+FFFD for bytes that are not UTF-8, as nlohmann-json finds them.
std::string as_utf8(std::string_view text)
{
    const std::string written =
        session::Json(std::string(text)).dump(-1, ' ', false, session::Json::error_handler_t::replace);
    return session::Json::parse(written).get<std::string>();
}

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #fff; --ink: #1c2430; --quiet: #5a6675; --line: #d5dae1; --panel: #f5f7f9;
  --mark: #1f6fb4; --good: #1b7a43; --bad: #b3261e; --open: #8a5a00; --band: #cfe3d6;
  --c0: #1f6fb4; --c1: #b0520c; --c2: #2b7d3e; --c3: #7b4fa3; --c4: #a03050; --c5: #4d5b6b; --c6: #0f7173;
  --c7: #8a6d0b; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --ink: #e4e8ed; --quiet: #9aa6b4; --line: #37404a; --panel: #1c2229; --mark: #66aee8;
    --good: #6fcf97; --bad: #ff8a80; --open: #f0b64e; --band: #26402f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .4rem 0; max-width: 46rem; } .quiet, figcaption, .row > .of { color: var(--quiet); font-size: .875rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
.facts td, .facts thead th { min-width: 11rem; } .facts tbody th { min-width: 7.5rem; }
  thead th { border-bottom-width: 2px; }
th { font-weight: 600; } .number { text-align: right; white-space: nowrap; }
figure { margin: 1rem 0; padding: .75rem; background: var(--panel); border-radius: .4rem; }
figcaption { margin-bottom: .5rem; } .row { margin: .6rem 0; } .row > .of { margin-bottom: .15rem; }
.stack { display: flex; height: 1.6rem; } .stack > span { display: flex; flex-wrap: wrap; justify-content: center;
  overflow: hidden;
  white-space: nowrap; color: #fff; font-size: .75rem; line-height: 1.6rem; min-width: 1px; }
.stack > span::before { content: ""; width: 1px; height: 100%; }
  /* a text that does not fit wraps below, out of sight */
.stack > span + span { border-left: 1px solid var(--panel); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .875rem; } .legend i { display: inline-block;
  width: .8em;
  height: .8em; margin-right: .35em; }
svg { display: block; width: 100%; overflow: visible; } svg text { font-size: .75rem; fill: var(--quiet); }
.plot { padding: 0 1.5rem; } .grid { stroke: var(--line); } .dot { fill: var(--mark); fill-opacity: .5; }
  .bar { fill: var(--mark); }
.median { stroke: var(--ink); stroke-width: 2; } .band { fill: var(--band); } .line { stroke: var(--mark);
  stroke-width: 2; }
.ideal { stroke: var(--quiet); stroke-dasharray: 4 4; } .mean { fill: var(--mark); }
.open-mean { fill: var(--panel); stroke: var(--open); stroke-width: 2; }
.verdict { font-weight: 700; } .same { color: var(--quiet); } .faster { color: var(--good); }
  .slower { color: var(--bad); }
.ambiguous, .undecided { color: var(--open); } .different { color: var(--quiet); }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  .wide { overflow: visible; } .facts td, .facts thead th, .facts tbody th { min-width: 0; }
  .stack > span, .legend i, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

}  // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : as_utf8(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                if ((c >= 0 && c < ' ') || c == '\x7f')
                    result += "\xEF\xBF\xBD";  // U+FFFD
                else
                    result += c;
        }
    }
    return result;
}

std::string with_unit(double number, std::string_view unit)
{
    constexpr std::array<std::string_view, 9> prefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    std::size_t prefix = 4;  // none
    double shown = number;
    while (shown != 0 && std::abs(shown) < 0.9995 && prefix > 0) {
        shown *= 1000;
        --prefix;
    }
    // Seconds beyond thousands stay seconds.
    while (std::abs(shown) >= 999.5 && prefix + 1 < prefixes.size() && unit != "s") {
        shown /= 1000;
        ++prefix;
    }
    const int decimals = shown == 0 || std::abs(shown) >= 99.95 ? 0 : std::abs(shown) >= 9.995 ? 1 : 2;
    const std::string_view sign = prefixes.at(prefix);
    if (sign.empty() && unit.empty()) return fmt::format("{:.{}f}", shown, decimals);
    return fmt::format("{:.{}f} {}{}{}", shown, decimals, sign, !sign.empty() && unit.size() > 1 ? " " : "", unit);
}

std::string data_with_unit(double number, std::string_view unit)
{
    return fmt::format("<data value=\"{}\">{}</data>", number, with_unit(number, unit));
}

std::string number_cell(std::string_view number)
{
    return fmt::format(R"(<td class="number">{}</td>)", number);
}

std::string html_page(std::string_view title, std::string_view sections)
{
    const std::string name = escaped(title);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
        "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
        name, kStyle, name, sections);
}

}  // namespace wayfront::report
