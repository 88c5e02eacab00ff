import { setTimeout as pause } from 'node:timers/promises';
import { allConnected, type Gateway, listen, startGateway, startSimulators } from './processes.ts';

/** Agents that start in a second, and how long the balancer sends connections to a gateway that has ended. */
const STARTS_PER_SECOND = 300;
const NOTICED_MS = 3000;

export interface TwoGatewaysSettings {
  agents: number;
  pingMs: number;
  drainMs: number;
}

/**
 * Two gateways with half of the agents each, as the containers of a deployment: one is killed, and later a new one takes the
 * place of the other, which ends its streams in order.
 */
export async function measureTwoGateways({ agents, pingMs, drainMs }: TwoGatewaysSettings) {
  const simulators = startSimulators();
  const running: Gateway[] = [];
  const start = async () => {
    const gateway = startGateway();
    running.push(gateway);
    return { gateway, port: await listen(gateway, { port: 0, max: 12_000, pingMs, certificate: undefined }) };
  };
  try {
    const [lost, kept] = [await start(), await start()];
    const ports = [lost.port, kept.port];
    await simulators.start({ ports, agents, perSecond: STARTS_PER_SECOND, isTls: false });
    await allConnected([lost.gateway, kept.gateway], simulators, agents);
    const [ofLost, ofKept] = [await lost.gateway.counts(), await kept.gateway.counts()];
    const before = await simulators.counts();
    const killedAt = performance.now();
    await lost.gateway.kill('SIGKILL');
    await pause(NOTICED_MS);
    await simulators.counts({ ports: [kept.port] });
    await allConnected([kept.gateway], simulators, agents);
    const backMs = performance.now() - killedAt;
    const [afterKill, after] = [await kept.gateway.counts(), await simulators.counts()];
    const killed = {
      back: backMs / 1000,
      admissions: (afterKill.admissions - ofKept.admissions) / ofLost.streams,
      most: afterKill.most,
      unnoticed: ofLost.streams - (after.losses - before.losses),
    };
    const fresh = await start();
    await simulators.counts({ ports: [fresh.port] });
    await kept.gateway.counts({ drainMs });
    await allConnected([fresh.gateway], simulators, agents);
    const [drained, moved] = [await fresh.gateway.counts(), await simulators.counts()];
    return {
      killed,
      drained: {
        gap: moved.gapMs / 1000,
        mostLosses: moved.mostLosses,
        most: drained.most,
      },
    };
  } finally {
    await simulators.kill('SIGKILL');
    await Promise.allSettled(running.map((gateway) => gateway.kill('SIGKILL')));
  }
}
