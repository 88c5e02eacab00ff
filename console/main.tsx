import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { Console } from './app/console.tsx';
import './main.css';
import { theme } from './app/theme.tsx';

// Zod would probe for `new Function`, which the Content-Security-Policy forbids and the browser then reports.
z.config({ jitless: true });

theme.follow();

if (process.env['CONSOLE_RELOAD'] === '1')
  void import('./app/reload.tsx').then(({ reloadWhenBuilt }) => reloadWhenBuilt());

const element = document.getElementById('console');
if (element !== null)
  createRoot(element).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
