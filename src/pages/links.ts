/** The links at the top of the page. On a small screen, the description comes before the first operation. */
import type { PageOptions } from './options.ts';

type Link = readonly [href: string, text: string];

/** Of each viewer: to the first operations, and to the other viewer. */
const linksOf = {
  scalar: [
    ['#tag/plants', 'Operations'],
    ['?ui=swagger', 'Swagger UI'],
  ],
  swagger: [
    ['#operations-tag-plants', 'Operations'],
    ['swagger', 'Scalar'],
  ],
} as const satisfies Record<string, readonly Link[]>;

const consolePage: Link = ['console', 'Console'];
const inbox: Link = ['inbox', 'Webhook inbox'];
const lessons: Link = ['lessons', 'Lessons'];

export const links = ({ hasConsole, hasInbox }: PageOptions, viewer: keyof typeof linksOf): string => `
    <nav class="pages" aria-label="Pages">
      ${[...linksOf[viewer], ...(hasConsole ? [consolePage] : []), ...(hasInbox ? [inbox] : []), lessons].map(([href, text]) => `<a href="${href}">${text}</a>`).join('\n      ')}
    </nav>`;

export const linksStyle = `
      .pages {
        position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: 40px; padding: 0 24px;
        display: flex; gap: 24px; align-items: center; overflow-x: auto; white-space: nowrap;
        background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText);
        font: 15px/1 var(--scalar-font, sans-serif);
      }
      .pages a { color: var(--scalar-color-1, CanvasText); }
    `;
