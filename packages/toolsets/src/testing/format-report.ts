import { printable, shortened } from '@ambit/core';
import type { ToolsetReport } from './check-toolset.js';
import type { Finding } from './finding.js';

/** `crm.export NOT_PURE describing wrote /tmp/x (fs.writeFile)`, with arguments; escaped. */
export function formatFinding(toolset: string, { code, tool, message, args }: Finding): string {
  const where = tool === null ? toolset : `${toolset}.${tool}`;
  const lines = [
    `${where} ${code} ${message}`,
    ...(args === null ? [] : [`  with ${shortened(JSON.stringify(args), 400)}`]),
  ];
  return lines.map((line) => printable(line)).join('\n');
}

export function formatReport(report: ToolsetReport): string {
  const { toolset, findings, tools, unchecked } = report;
  const described = tools.map(({ tool, described: calls, executed, reads }) => {
    const read = reads.length === 0 ? '' : `; describing reads ${reads.join(', ')}`;
    return `${toolset}.${tool}: ${calls} calls described${executed === 0 ? '' : `, ${executed} executed`}${read}`;
  });
  const sections = [
    findings.map((one) => formatFinding(toolset, one)).join('\n\n'),
    described.map((line) => printable(line)).join('\n'),
    unchecked.map((line) => printable(`not checked: ${line}`)).join('\n'),
    findings.length === 0
      ? `${toolset} keeps the rules`
      : findings.length === 1
        ? '1 finding'
        : `${findings.length} findings`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
