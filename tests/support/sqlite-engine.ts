import { SqliteEngine } from '../../local/engine/sqlite/engine.ts';

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];

export interface TestEngine {
  engine: SqliteEngine;
  /** A call about the table `t`, which has the index `by_name` of `list_pk` and `list_sk`. */
  call: (operation: string, input: object) => ReturnType<SqliteEngine['call']>;
}

/** @param file undefined: in memory. */
export async function openTestEngine(file?: string): Promise<TestEngine> {
  const engine = new SqliteEngine(file);
  const call = (operation: string, input: object) => engine.call({ operation, input: { TableName: 't', ...input } });
  await call('CreateTable', {
    KeySchema: keySchema('pk', 'sk'),
    GlobalSecondaryIndexes: [{ IndexName: 'by_name', KeySchema: keySchema('list_pk', 'list_sk') }],
  }).catch((error: unknown) => {
    if ((error as Error).name !== 'ResourceInUseException') throw error;
  });
  return { engine, call };
}
