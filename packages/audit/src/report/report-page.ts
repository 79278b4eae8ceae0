import { createHash } from 'node:crypto';
import { compactData } from './compact-data.js';
import type { ReportData } from './report-data.js';
import { script } from './report-script.js';
import { style } from './report-style.js';

/**
 * One page of HTML that needs nothing else: data, style and script are in it, and its content security policy lets it load and
 * send nothing. What comes from the log is data for the script, which puts it in as text.
 */
export function reportPage(data: ReportData): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
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
<script type="application/json" id="data">${embedded(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

const banner = `<p class="doubt" role="alert"><strong>Not verified.</strong> A log that this page is made of does not verify,
so it may say what never happened. <code>ambit log verify</code> says where.</p>
`;

/** As JSON that no parser of HTML takes for anything but text. */
function embedded(data: ReportData): string {
  return JSON.stringify(compactData(data)).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
