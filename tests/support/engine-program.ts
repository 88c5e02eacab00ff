/* The embedded engine as a process of its own (engine-process.ts). Ends with the process that started it. */
import { startEngine } from '../../local/engine/engine.ts';
import { serveEngine } from './engine-http.ts';

const engine = await startEngine({ dataDir: process.argv[2], environment: {} });
const server = await serveEngine(engine);
process.stdin.resume().once('end', () => void server.stop().then(() => engine.stop()));
process.stdout.write(`${server.endpoint}\n`);
