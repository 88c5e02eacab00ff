import { href } from '../ui/route.tsx';
import type { GraphKind, GraphObject } from './graph.ts';

const folders: Readonly<Record<GraphKind, string>> = { node: 'nodes', service: 'services', agent: 'agents' };

export const pageOf = ({ kind, id }: GraphObject): string => href([folders[kind], id]);
