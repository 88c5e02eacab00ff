import { codes, processTypes, statusOf } from './enumerations.ts';

// Values of pmm-agent's protocol (api/inventory/v1/agent_status.proto, agents.proto) and of gRPC.

test("statuses have PMM's numbers", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(statusOf)).toEqual([
    undefined,
    ...['starting', 'running', 'waiting', 'stopping', 'done', 'unknown', 'waiting'],
    undefined,
  ]);
});

test("agent types have PMM's numbers", () => {
  expect(processTypes).toEqual({
    node_exporter: 2,
    mysqld_exporter: 3,
    mongodb_exporter: 4,
    postgres_exporter: 5,
    proxysql_exporter: 6,
    valkey_exporter: 17,
  });
});

test('gRPC codes have their numbers: OK, ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, ABORTED, UNIMPLEMENTED, UNAVAILABLE, UNAUTHENTICATED', () => {
  expect(codes).toEqual({
    ok: 0,
    alreadyConnected: 6,
    notAllowed: 7,
    tooMuch: 8,
    replaced: 10,
    unimplemented: 12,
    tryLater: 14,
    unauthenticated: 16,
  });
});
