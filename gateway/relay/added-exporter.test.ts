/** The time from the addition of an exporter until its process has it, on a clock of the test. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { readContainerSettings } from '../container/settings.ts';
import { AgentMessageSchema, ServerMessageSchema } from '../protocol/generated/agent_pb.ts';
import type { AgentStream } from '../streams/agent-stream.ts';
import type { Frame } from '../streams/framing.ts';
import { AgentGateway } from './agent-gateway.ts';

/** Until an exporter that is added must be in the state of its process. */
const START_MS = 5000;

/** The interval of the feed of a container by default. */
const { feedMs } = readContainerSettings({ API_URL: 'https://api.example.com', KEY_FILE: '/run/key' });

/** The stream of a process that takes every state, and notes the agents in it. */
function takingStream(id: string, onState: (agents: string[]) => void): AgentStream {
  const headers = { 'pmm-agent-id': id, authorization: 'Bearer key', ':path': '/agent.v1.AgentService/Connect' };
  let receive: (frame: Frame) => void = () => undefined;
  const stream = {
    headers,
    source: '',
    closed: new AbortController().signal,
    accept: (_: object, onFrame: typeof receive) => (receive = onFrame),
    write: (frame: Buffer) => {
      const { id: request, payload } = fromBinary(ServerMessageSchema, frame.subarray(5));
      if (payload.case !== 'setState') return;
      onState(Object.keys(payload.value.agentProcesses));
      const reply = create(AgentMessageSchema, { id: request, payload: { case: 'setState', value: {} } });
      const bytes = Buffer.from(toBinary(AgentMessageSchema, reply));
      queueMicrotask(() => receive({ kind: 'message', bytes }));
    },
    end: () => undefined,
  };
  return stream as unknown as AgentStream;
}

/** An inventory with one host, whose exporter is added during the test. */
class OneHost {
  readonly #agents: object[] = [];

  add(): void {
    const insights = { service_ids: [] };
    this.#agents.push({ agent_id: 'a-1', agent_type: 'node_exporter', disabled: false, insights });
  }

  reply(path: string): object {
    if (path === '/v1/gateway/admissions')
      return { results: [{ status: 200, node_id: 'n', node_name: 'host', agents: [], services: [] }] };
    if (path.startsWith('/v1/agents')) return { agents: this.#agents };
    if (path === '/v1/reports')
      return { results: [{ status: 200, report: { report_after_seconds: 240, refused: [] } }] };
    const since = new URL(path, 'http://inventory').searchParams.get('since') ?? '';
    const seen = since === 'now' ? this.#agents.length : Number(since);
    const added = { kind: 'agent', id: 'a-1', action: 'added', after: { pmm_agent_id: 'p-1' } };
    return { changes: this.#agents.slice(seen).map(() => added), next: String(this.#agents.length), more: false };
  }
}

test("an added exporter is in its process's state within 5 s, at any moment between two feed reads", async () => {
  for (const part of [0, 0.2, 0.4, 0.6, 0.8]) {
    const addedAt = 10_000 + part * feedMs;
    const inventory = new OneHost();
    const clock = manualClock();
    const states: { at: number; agents: string[] }[] = [];
    const gateway = new AgentGateway({
      send: ({ path }) => Promise.resolve({ status: 200, body: inventory.reply(path) }),
      log: () => undefined,
      versions: { 2: '2.44.0', 3: '3.0.0' },
      clock: () => new Date(0),
      monotonic: clock,
      feedMs,
    });
    void gateway.serve(takingStream('p-1', (agents) => states.push({ at: clock.now(), agents })));
    await clock.pass(addedAt);
    inventory.add();
    await clock.pass(START_MS);
    await gateway.stop();
    expect(states).toEqual([
      { at: expect.any(Number), agents: [] },
      { at: expect.any(Number), agents: [expect.stringContaining('a-1')] },
    ]);
  }
});
