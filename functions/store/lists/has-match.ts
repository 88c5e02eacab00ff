import type { Table } from '../../../shared/db/table.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { selectAgents } from './list-agents.ts';
import { selectNodes } from './list-nodes.ts';
import { selectServices } from './list-services.ts';

/** A page of one object would read a long list in as many requests as it has objects. */
const PAGE_SIZE = 100;

/** Whether an object of any kind matches a selector. Reads up to the first one. */
export async function hasMatch(table: Table, selector: string): Promise<boolean> {
  for (const select of [selectNodes, selectServices, selectAgents]) {
    let after: Position | undefined;
    do {
      const { objects, next } = await select(table, { selector }, { size: PAGE_SIZE, after });
      if (objects.length > 0) return true;
      after = next;
    } while (after !== undefined);
  }
  return false;
}
