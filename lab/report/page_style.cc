#include "report/page_style.h"

namespace nrs {

// Colours after Okabe and Ito, who chose them to be told apart by colour-blind people as well, made
// lighter for the dark.
std::string_view chart_style() {
  return R"(
:root {
  color-scheme: light dark;
  --ink: #1c1f24; --soft: #5b6470; --paper: #ffffff; --sheet: #f6f7f9; --rule: #dde1e6; --shade: #eef3f8;
  --leaf: #cbe4f5; --value: #cdeee0; --hidden: #0006;
  --c0: #0072b2; --c1: #00865f; --c2: #d55e00; --c3: #b04f8c; --c4: #a87400; --c5: #5b6470;
  --c6: #56a4d9; --c7: #8a6fd1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eaed; --soft: #a0a9b4; --paper: #14171b; --sheet: #1c2026; --rule: #343a43; --shade: #1c2733;
    --leaf: #1d4a6b; --value: #17513d; --hidden: #fff6;
    --c0: #5fb4ec; --c1: #35c795; --c2: #ff8c42; --c3: #e58fc4; --c4: #e8b84a; --c5: #a0a9b4;
    --c6: #9fd3f5; --c7: #b6a3f0;
  }
}
.chart { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; display: block; width: 100%; height: auto; }
.chart text { fill: var(--ink); }
.chart .chart-title { font-weight: 600; font-size: 13.5px; }
.chart .tick, .chart .label, .chart .note { fill: var(--soft); font-size: 11.5px; }
.chart .series { font-size: 11.5px; font-weight: 600; }
.chart .bar-label { font-size: 12px; }
.chart .bar-heading { font-weight: 600; font-size: 12.5px; }
.chart .value { font-size: 11.5px; }
.chart .grid { stroke: var(--rule); stroke-width: 1; }
.chart .axis { stroke: var(--soft); stroke-width: 1; }
.chart .mark { stroke: var(--c2); stroke-width: 1.5; stroke-dasharray: 4 3; }
.chart .trained { fill: var(--shade); }
.chart .line { fill: none; stroke: var(--c); stroke-linejoin: round; stroke-linecap: round; }
.chart .w0 { stroke-width: 1.8; } .chart .w1 { stroke-width: 3; } .chart .w2 { stroke-width: 4.2; }
.chart .w3 { stroke-width: 5.4; } .chart .w4 { stroke-width: 6.6; }
.chart .dashed { stroke-dasharray: 6 5; } .chart .dotted { stroke-dasharray: 1 5; }
.chart .leader { stroke: var(--c); stroke-width: 1; opacity: .55; }
.chart .band { fill: var(--c); opacity: .16; }
.chart .dot { fill: var(--c); }
.chart .ring { fill: var(--paper); stroke: var(--c); stroke-width: 1.6; }
.chart .bar { fill: var(--c); }
.chart .published { opacity: .5; }
.chart text.series { fill: var(--c); }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
)";
}

std::string_view page_style() {
  return R"(
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 1120px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 36px; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .4rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 3rem 0 .6rem; padding-top: .8rem; border-top: 2px solid var(--rule); }
p { margin: .5rem 0 .9rem; max-width: 46rem; }
a { color: var(--c0); }
nav { position: sticky; top: 0; z-index: 2; background: var(--paper); border-bottom: 1px solid var(--rule); }
nav ul { list-style: none; display: flex; gap: .5rem; padding: .5rem 12px; margin: 0; overflow-x: auto; }
nav a { display: block; padding: .25rem .65rem; border: 1px solid var(--rule); border-radius: 99px; white-space: nowrap;
  text-decoration: none; font-size: .88rem; }
section { scroll-margin-top: 2rem; }
code { font: .88em ui-monospace, "DejaVu Sans Mono", Menlo, monospace; overflow-wrap: break-word; }
figure { margin: 1rem 0 1.8rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 12px; align-items: start; }
.card { background: var(--paper); border: 1px solid var(--rule); border-radius: 10px; padding: 8px; min-width: 0; }
.charts .card:only-child { max-width: 560px; }
figcaption, .caption { color: var(--soft); font-size: .92rem; max-width: 46rem; margin-top: .55rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .6rem 0 0; padding: 0; list-style: none; font-size: .9rem; }
.legend li::before { content: ""; display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em;
  background: var(--c); }
.scroll { border: 1px solid var(--rule); border-radius: 10px; }
.scroll, nav ul { overflow-x: auto; background:
  linear-gradient(90deg, var(--paper) 40%, transparent) 0 0 / 40px 100% no-repeat local,
  linear-gradient(270deg, var(--paper) 40%, transparent) 100% 0 / 40px 100% no-repeat local,
  linear-gradient(90deg, var(--hidden), transparent) 0 0 / 16px 100% no-repeat scroll,
  linear-gradient(270deg, var(--hidden), transparent) 100% 0 / 16px 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
tbody th { font-weight: 500; }
thead th { border-bottom: 2px solid var(--rule); font-weight: 600; vertical-align: bottom; white-space: normal; min-width: 5.2rem; }
thead code { display: block; white-space: nowrap; font-weight: 400; }
th:first-child { position: sticky; left: 0; background: var(--paper); }
tbody tr:last-child > * { border-bottom: 0; }
td.best { color: var(--c1); font-weight: 600; }
td.published { color: var(--soft); }
td.missing { color: var(--soft); font-style: italic; font-size: .85em; }
details { margin: .4rem 0 1rem; font-size: .88rem; }
summary { cursor: pointer; color: var(--soft); }
details ul { margin: .4rem 0; padding-left: 1.1rem; }
details li { margin: .35rem 0; overflow-wrap: anywhere; }
.derivation { list-style: none; padding: 0; margin: 0; display: grid; gap: .5rem; }
.derivation li { display: grid; grid-template-columns: 2.2rem 1fr; gap: .4rem; align-items: baseline;
  background: var(--sheet); border: 1px solid var(--rule); border-radius: 8px; padding: .5rem .7rem; }
.derivation .round { color: var(--soft); font-size: .85rem; }
.derivation code { font-size: .95rem; line-height: 1.9; min-width: 0; }
mark { display: inline-block; line-height: 1.5; background: var(--leaf); color: inherit; border-radius: 4px; padding: .12em .15em; }
mark.value { background: var(--value); }
footer { color: var(--soft); font-size: .88rem; margin-top: 3rem; padding-bottom: 3rem; }
@media (max-width: 520px) { h1 { font-size: 1.45rem; } th, td { padding: .34rem .5rem; } main, header, footer { padding: 0 12px; } header { padding-top: 24px; } }
@media (min-width: 1000px) {
  body { display: grid; grid-template-columns: 13rem minmax(0, 1120px); justify-content: center; }
  header, main, footer { grid-column: 2; width: 100%; }
  nav { grid-column: 1; grid-row: 1 / 4; align-self: start; border: 0; padding: 36px 0 0 16px; }
  nav ul { flex-direction: column; gap: .1rem; padding: 0; } nav a { border: 0; white-space: normal; }
  section { scroll-margin-top: 0; }
}
@media print {
  body { font-size: 10.5pt; } nav { display: none; } h2 { break-after: avoid; }
  figure, .card, tr { break-inside: avoid; } .charts { grid-template-columns: 1fr 1fr; }
  .scroll { overflow: visible; border: 0; } th, td { white-space: normal; padding: .2rem .35rem; }
  details:not([open]) { display: none; }
}
)";
}

}  // namespace nrs
