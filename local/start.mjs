import './require-node.mjs';

// Dynamic, so that an old Node never parses TypeScript; without `await`, which Node 12 cannot parse at top level.
import('./main.ts');
