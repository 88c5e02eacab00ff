import { type EntityOf, idOf } from '../../functions/store/entities/entity.ts';
import { takeReport } from '../../functions/store/heartbeats/report.ts';
import type { Table } from '../../shared/db/table.ts';

type Entries = Parameters<typeof takeReport>[1]['contents']['agents'];

/** Stores a report of an agent process, about some of its agents. */
export const reportOf = (table: Table, process: EntityOf<'agent'>, now: Date, agents: Entries = []) =>
  takeReport(table, { pmmAgentId: idOf(process), contents: { agents }, scope: undefined, limit: undefined, now });
