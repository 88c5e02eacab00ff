import { code, markdownTable } from '../shared/openapi/markdown.ts';
import { isMet, limitText, type Measurement, valueText } from './targets.ts';

const introduction = `<!-- Written by \`npm run bench -- --record\`: run it, do not edit the table. -->

# Performance: how fast is it?

\`npm run bench\` measures these values. Each ratio compares two things that were measured in turns, in one run, on one machine, so it
depends little on the machine. \`npm run bench -- --check\` exits with an error if a target is missed. \`npm run bench -- --record\` writes
the values of a run here; a regression is then a line of the diff. Add names of sections to run only those (\`npm run bench -- cpu --record\`):
the rows of all other sections stay.

- \`peer\`: requests per second of the local server, over a server with Fastify and PostgreSQL that does the same, at 16 connections.
- \`agents\`: simulated agents at the agent gateway, in a process of its own, over a service in memory that answers in 0.5 s (admissions)
  and 50 ms. All agents return at once after the gateway was killed and 3 s away. Of two gateways, one is killed, to which connections are
  made for 3 s more, and the other one ends its streams over 100 s while a new one takes its place.
- \`load\`: processor time of loading a function and of its first request, over one that only makes the same call with the SDK, reduced in the same way.
`;

const headings = ['Section', 'Value', 'Target', 'Last accepted', 'Result'] as const;

function rowOf(section: string, measured: Measurement): string[] {
  const result = isMet(measured) ? 'met' : '**missed**';
  return [code(section), measured.name, limitText(measured), valueText(measured), result];
}

/** The rows of the table in a document, by section, as they are written there. */
function rowsIn(document: string): Map<string, string[][]> {
  const rows = new Map<string, string[][]>();
  for (const [, section = '', rest = ''] of document.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)) {
    const cells = rest.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    rows.set(section, [...(rows.get(section) ?? []), [code(section), ...cells]]);
  }
  return rows;
}

/**
 * docs/performance.md with the values of a run. Rows of sections that did not run are unchanged; rows of sections that
 * do not exist any more are removed.
 *
 * @param previous the present document; empty if it does not exist.
 * @param ran the measured values of the sections that ran.
 * @param sections all sections, in the order of the table.
 */
export function performanceDocument(
  previous: string,
  ran: ReadonlyMap<string, readonly Measurement[]>,
  sections: readonly string[],
): string {
  const kept = rowsIn(previous);
  const rows = sections.flatMap(
    (section) => ran.get(section)?.map((measured) => rowOf(section, measured)) ?? kept.get(section) ?? [],
  );
  return `${introduction}\n${markdownTable(headings, rows)}\n`;
}
