import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import { healthOf } from '../model/health.ts';
import { type Agent, type Node, type Service, services, textOf } from '../model/kinds.tsx';
import { href } from '../ui/route.tsx';
import { plural } from '../ui/words.ts';
import { isGood, type Members } from './load-members.tsx';
import { memberMapOf, type MemberPlace } from './member-map.ts';
import './member-map.css';

const zooms = [0.5, 0.65, 0.8, 1, 1.25, 1.5] as const;
const FULL_SIZE = zooms.indexOf(1);

/** @param nodes by their ids. */
const placeIn = (service: Service, nodes: ReadonlyMap<string, Node>): MemberPlace => ({
  type: service.service_type,
  replicationSet: textOf(service, 'replication_set'),
  zones: service.node_ids.map((id) => {
    const node = nodes.get(id);
    return node && (textOf(node, 'az') ?? textOf(node, 'region'));
  }),
  isLive: isGood(service),
});

/** `4 agents`, `4 agents, 1 waiting, 1 offline`. */
function agentsText(agents: readonly Agent[]): string {
  const words = agents.filter((agent) => !isGood(agent)).map((agent) => healthOf(agent)?.word.toLowerCase() ?? '?');
  const counts = [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${word}`);
  return [plural(agents.length, 'agent'), ...counts].join(', ');
}

/** A dot for each agent. Only agents that are not well have a colour, and a ring. */
function AgentDots({ agents }: { agents: readonly Agent[] }) {
  return (
    <span className="agent-dots" title={agentsText(agents)}>
      <span className="visually-hidden">{agentsText(agents)}</span>
      {agents.map((agent) => (
        <span
          key={agent.agent_id}
          aria-hidden="true"
          className={`agent-dot dot-${healthOf(agent)?.look ?? 'pending'}`}
        />
      ))}
    </span>
  );
}

function Member({ service, agents }: { service: Service; agents: readonly Agent[] }) {
  const health = healthOf(service);
  const role = service.custom_labels['role'];
  return (
    <a
      className={`member member-${health?.look ?? 'pending'}`}
      href={href(['services', service.service_id])}
      title={service.service_name}
    >
      <span className="member-name">{services.nameOf(service)}</span>
      <span className="member-line">
        {health?.isGood === true ? (
          <span className="member-type">
            <span className="visually-hidden">{health.word} </span>
            {role ?? service.service_type}
          </span>
        ) : (
          <StatusIndicator type={health?.look ?? 'pending'} wrapText={false}>
            {health?.word ?? 'Unknown'}
          </StatusIndicator>
        )}
        {agents.length > 0 && <AgentDots agents={agents} />}
      </span>
    </a>
  );
}

function Zoom({ level, setLevel }: { level: number; setLevel: (level: number) => void }) {
  return (
    <SpaceBetween size="xxs" direction="horizontal">
      <Button
        variant="icon"
        iconName="zoom-out"
        ariaLabel="Zoom out"
        disabled={level === 0}
        onClick={() => setLevel(level - 1)}
      />
      <Button
        variant="icon"
        iconName="zoom-to-fit"
        ariaLabel="Original size"
        disabled={level === FULL_SIZE}
        onClick={() => setLevel(FULL_SIZE)}
      />
      <Button
        variant="icon"
        iconName="zoom-in"
        ariaLabel="Zoom in"
        disabled={level === zooms.length - 1}
        onClick={() => setLevel(level + 1)}
      />
    </SpaceBetween>
  );
}

/** The members of a cluster: a row for each replication set, a column for each zone, agents as dots. */
export function MemberMapView({ members: { services: all, nodes, agents } }: { members: Members }) {
  const [level, setLevel] = useState<number>(FULL_SIZE);
  const { zones, groups } = useMemo(() => memberMapOf(all, (service) => placeIn(service, nodes)), [all, nodes]);
  return (
    <div className="member-map-frame">
      <div className="member-map-zoom">
        <Zoom level={level} setLevel={setLevel} />
      </div>
      <div className="member-map-scroll" role="group" aria-label="Members by replication set and zone">
        <div
          className="member-map"
          style={{
            gridTemplateColumns: `max-content repeat(${zones.length}, minmax(190px, 1fr))`,
            zoom: zooms[level],
          }}
        >
          <span className="member-map-corner" aria-hidden="true" />
          {zones.map((zone) => (
            <span key={zone} className="member-map-zone" aria-hidden="true">
              {zone}
            </span>
          ))}
          {groups.map(({ name, count, cells }) => [
            <div key={name} className="member-map-group">
              <b>
                <bdi className="any-word">{name}</bdi>
              </b>
              <small>{plural(count, 'member')}</small>
            </div>,
            ...cells.map(({ zone, members: here }) => (
              <div key={`${name} ${zone}`} className="member-map-cell">
                {here.length > 0 && <span className="member-map-zone-inside">{zone}</span>}
                {here.length > 0 && (
                  <ul aria-label={`${name}, ${zone}`}>
                    {here.map((service) => (
                      <li key={service.service_id}>
                        <Member service={service} agents={agents.get(service.service_id) ?? []} />
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            )),
          ])}
        </div>
      </div>
    </div>
  );
}
