import { type EdgeLabel, Graph as Layout, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import type { Graph } from './graph.ts';

/** Of each object, in pixels. */
export const BOX = { width: 210, height: 54 } as const;

/** Around the drawing: room for the ring of the focus. */
const MARGIN = 4;

const GAPS = { nodesep: 14, ranksep: 60, marginx: MARGIN, marginy: MARGIN } as const;

interface Point {
  x: number;
  y: number;
}

/** Where everything is, in pixels from the upper left corner. */
export interface Drawing {
  width: number;
  height: number;
  /** The upper left corner of each object, by its id. */
  places: ReadonlyMap<string, Point>;
  /** The lines, in the order of the relations of the graph: commands of an SVG path. */
  lines: readonly string[];
}

const pointIn = ({ x = 0, y = 0 }: Partial<Point>): Point => ({ x, y });

/** A line that leaves and enters boxes horizontally. */
function pathOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const last = points[index - 1];
      if (last === undefined) return `M${x} ${y}`;
      const middle = (last.x + x) / 2;
      return `C${middle} ${last.y} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
}

/** Places the objects in columns from left to right, by what runs on what, with few lines that cross. */
export function drawingOf({ objects, relations }: Graph): Drawing {
  const graph = new Layout<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', ...GAPS });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of objects) graph.setNode(id, { ...BOX });
  for (const [index, { from, to }] of relations.entries()) graph.setEdge(from, to, {}, String(index));
  layout(graph);
  const middles = new Map(objects.map(({ id }) => [id, pointIn(graph.node(id))]));
  // From the right side of a box to the left side of the next one, on the way that the layout has left free.
  const ways = relations.map(({ from, to }, index) => {
    const [start, end] = [middles.get(from), middles.get(to)];
    if (start === undefined || end === undefined) return [];
    const free = (graph.edge(from, to, String(index)).points ?? []).slice(1, -1);
    return [{ x: start.x + BOX.width / 2, y: start.y }, ...free, { x: end.x - BOX.width / 2, y: end.y }];
  });
  // Lines may lead around the highest and the lowest box.
  const heights = [...ways.flat().map(({ y }) => y), ...[...middles.values()].map(({ y }) => y - BOX.height / 2)];
  const shift = MARGIN - Math.min(...heights);
  const lowest = Math.max(
    ...ways.flat().map(({ y }) => y),
    ...[...middles.values()].map(({ y }) => y + BOX.height / 2),
  );
  const places = new Map(
    [...middles].map(([id, { x, y }]) => [id, { x: x - BOX.width / 2, y: y - BOX.height / 2 + shift }]),
  );
  const lines = ways.map((points) => pathOf(points.map(({ x, y }) => ({ x, y: y + shift }))));
  return { width: graph.graph().width ?? 0, height: lowest + shift + MARGIN, places, lines };
}
