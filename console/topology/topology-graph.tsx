import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import type { Graph, GraphObject } from './graph.ts';
import { BOX, drawingOf } from './layout.ts';
import { shortId } from '../model/kinds.tsx';
import { pageOf } from './object-page.tsx';
import './topology.css';

interface BoxProps {
  object: GraphObject;
  place: { x: number; y: number };
  isSubject: boolean;
  /** Called with the object when the pointer or the keyboard is on it, and without it after that. */
  point: (id: string | undefined) => void;
}

function Box({ object, place: { x, y }, isSubject, point }: BoxProps) {
  const { id, kind, name, type, health, isFold = false } = object;
  const style = { left: x, top: y, width: BOX.width, height: BOX.height };
  if (isFold)
    return (
      <div
        className={`topology-box topology-${kind} topology-fold`}
        style={style}
        onMouseEnter={() => point(id)}
        onMouseLeave={() => point(undefined)}
      >
        <span className="topology-name">{name}</span>
        <span className="topology-type">{type}</span>
      </div>
    );
  return (
    <a
      className={`topology-box topology-${kind}`}
      href={pageOf(object)}
      aria-current={isSubject ? 'page' : undefined}
      title={name}
      style={style}
      onFocus={() => point(id)}
      onBlur={() => point(undefined)}
      onMouseEnter={() => point(id)}
      onMouseLeave={() => point(undefined)}
    >
      <span className="topology-name">
        <span className="visually-hidden">{kind} </span>
        {kind === 'agent' ? type : name}
      </span>
      <span className="topology-line">
        <span className="topology-type">{kind === 'agent' ? shortId(id) : type}</span>
        {health !== undefined && (
          <StatusIndicator type={health.look} wrapText={false}>
            {health.word}
          </StatusIndicator>
        )}
      </span>
    </a>
  );
}

interface Props {
  graph: Graph;
  subject: string | undefined;
  label: string;
}

/** The graph as boxes and lines. Each box is a link, in the order of reading: an object before those below it. */
export default function TopologyGraph({ graph, subject, label }: Props) {
  const { width, height, places, lines } = useMemo(() => drawingOf(graph), [graph]);
  const [pointed, setPointed] = useState<string>();
  const ordered = graph.objects.toSorted((left, right) => {
    const [one, other] = [places.get(left.id), places.get(right.id)];
    return one === undefined || other === undefined ? 0 : one.x - other.x || one.y - other.y;
  });
  return (
    <>
      <div className="topology" role="group" aria-label={label}>
        <div className="topology-canvas" style={{ width, height }}>
          <svg width={width} height={height} aria-hidden="true">
            {graph.relations.map(({ from, to, type }, index) => (
              <path
                key={`${from} ${to} ${type}`}
                d={lines[index]}
                className={`topology-${type}${from === pointed || to === pointed ? ' topology-pointed' : ''}`}
              />
            ))}
          </svg>
          {ordered.map((object) => {
            const place = places.get(object.id);
            return place === undefined ? null : (
              <Box key={object.id} object={object} place={place} isSubject={object.id === subject} point={setPointed} />
            );
          })}
        </div>
      </div>
      <div className="topology-legend" aria-hidden="true">
        <svg width="32" height="8">
          <path className="topology-runs" d="M0 4H32" />
        </svg>
        runs on or under
        <svg width="32" height="8">
          <path className="topology-insight" d="M0 4H32" />
        </svg>
        gives insight into
      </div>
    </>
  );
}
