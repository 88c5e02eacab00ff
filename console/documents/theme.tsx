import { THEME } from '../ui/theme-choice.ts';

/** Before the page is drawn: the choice that the user made in the console. Without one, the style sheet follows the system. */
const chosen = localStorage.getItem(THEME);
if (chosen !== null) document.documentElement.dataset['theme'] = chosen;
