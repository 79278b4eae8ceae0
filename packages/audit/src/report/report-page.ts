import { hash } from 'node:crypto';
import type { ReportData } from './report-data.js';
import { script } from './report-script.js';

/** One self-contained HTML page, in parts. Its content security policy forbids loading and sending. */
export function* reportPage(data: ReportData): Generator<string, void, undefined> {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Decisions of tool calls</title>
<style>${style}</style>
</head>
<body>
${data.verified ? '' : banner}<main id="report"><noscript>This page is drawn by the script in it, which is switched off here.</noscript></main>
<script type="application/json" id="data">`;
  const { texts, ...rest } = data;
  yield `${embedded(rest).slice(0, -1)},"texts":[`;
  for (const [at, text] of texts.entries()) yield `${at === 0 ? '' : ','}"${text}"`;
  yield `]}</script>
<script>${script}</script>
</body>
</html>
`;
}

const banner = `<p class="doubt" role="alert"><strong>Not verified.</strong> A log behind this page does not verify,
so it may contain false entries. <code>ambit log verify</code> says where.</p>
`;

/** As JSON that an HTML parser reads as text only. */
function embedded(data: Omit<ReportData, 'texts'>): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

const style = `
:root { --ink: #1b1f24; --paper: #ffffff; --soft: #57606a; --line: #d8dee4; --field: #f6f8fa;
  --pre_approved: #2da44e; --needs_approval: #bf8700; --blocked: #cf222e; --other: #8c959f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9198a1; --line: #30363d;
  --field: #151b23; --pre_approved: #3fb950; --needs_approval: #d29922; --blocked: #f85149; --other: #6e7681; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 .5rem; color: var(--soft); } table + p { margin-top: 1rem; }
.doubt { margin: 0; padding: .75rem 1.5rem; color: #ffffff; background: #a40e26; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.count, th.count { text-align: right; width: 1%; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.text { width: 60%; }
.mark { white-space: nowrap; }
.mark::before { content: ''; display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .4em; background: var(--other); }
.mark.pre_approved::before { background: var(--pre_approved); }
.mark.needs_approval::before { background: var(--needs_approval); }
.mark.blocked::before { background: var(--blocked); }
.chart { display: flex; align-items: flex-end; gap: 2px; height: 9rem; border-bottom: 1px solid var(--line); overflow-x: auto; }
.period { display: flex; flex-direction: column-reverse; flex: 1 0 6px; }
.bar { min-height: 1px; background: var(--other); }
.bar, .mark::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.bar.pre_approved { background: var(--pre_approved); }
.bar.needs_approval { background: var(--needs_approval); }
.bar.blocked { background: var(--blocked); }
label { display: block; margin: .5rem 0; }
input { width: 100%; padding: .5rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 6px; }
input:focus-visible, summary:focus-visible, button:focus-visible { outline: 2px solid var(--needs_approval); outline-offset: 2px; }
details { border-bottom: 1px solid var(--line); }
summary { padding: .3rem .25rem; cursor: pointer; overflow-wrap: anywhere; }
.call > summary { display: grid; grid-template-columns: 10.5rem 1fr 9rem 9.5rem; gap: .75rem; }
.did { color: var(--soft); }
.ends { display: flex; justify-content: space-between; font-size: .85rem; }
pre { margin: 0 0 .5rem; padding: .75rem; background: var(--field); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
button { font: inherit; padding: .35rem .9rem; margin: .75rem .5rem 0 0; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
@media (max-width: 44rem) { .call > summary { grid-template-columns: 1fr; gap: 0; }
  .wide thead { display: none; } .wide tr { display: flex; flex-wrap: wrap; gap: 0 1rem; border-bottom: 1px solid var(--line); padding: .25rem 0; }
  .wide td { border: 0; padding: 0 .5rem; } .wide td:first-child, .wide td.text { flex: 1 0 100%; } .wide td.count { width: auto; }
  .wide td[data-head]::before { content: attr(data-head) ' '; color: var(--soft); } }
@media print { main { max-width: none; padding: 0; } label, button { display: none; } details { break-inside: avoid; } body { font-size: 11px; } }
`;
