const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followSystem);
followSystem();

// Only what is not the default, and what has to stay as it is whatever the default becomes.
window.SwaggerUIBundle({
  url: './openapi.json',
  domNode: document.getElementById('api-browser'),
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // The key is forgotten with the page.
  persistAuthorization: false,
  // No foreign service sees the document, and no link can make the page load another one.
  validatorUrl: null,
  queryConfigEnabled: false,
});
