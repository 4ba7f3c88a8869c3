export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171c);
  --side: light-dark(#f4f5f7, #1b1f26);
  --ink: light-dark(#1c2026, #e4e7ec);
  --faint: light-dark(#565f6c, #a3acb9);
  --line: light-dark(#d5dae1, #343b46);
  --link: light-dark(#0a56b8, #7ab4ff);
  --code: light-dark(#eef0f3, #232933);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; background: var(--side); border-right: 1px solid var(--line); font-size: 0.85rem; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.9rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { padding: 0.15rem 0; overflow-wrap: anywhere; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
#search { position: sticky; top: -1rem; margin: -1rem -1rem 0; padding: 1rem 1rem 0.25rem; background: var(--side); }
#search input { width: 100%; padding: 0.4rem; border: 1px solid var(--faint); border-radius: 4px; background: var(--paper); color: inherit; font: inherit; }
#found { margin: 0.25rem 0 0; min-height: 1.5em; color: var(--faint); }
main { max-width: 70rem; padding: 1rem 2rem 6rem; }
h1 { margin-top: 0.5rem; }
main h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0 0 0.5rem; font-size: 1.05rem; overflow-wrap: anywhere; }
article { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; }
article:target { border-color: var(--link); }
a { color: var(--link); }
a:focus-visible, input:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; margin: 0.5rem 0; padding: 0.75rem; background: var(--code); border-radius: 4px; }
:not(pre) > code { padding: 0 0.2em; background: var(--code); border-radius: 3px; }
.access, caption, small { color: var(--faint); }
.wide { overflow-x: auto; }
table { width: 100%; margin: 0.75rem 0; border-collapse: collapse; font-size: 0.9rem; }
caption { padding-bottom: 0.25rem; text-align: left; font-weight: 600; }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 500; }
summary { cursor: pointer; color: var(--link); }
.method { display: inline-block; padding: 0 0.35em; border-radius: 3px; background: var(--code); font: 600 0.75em ui-monospace, monospace; }
.method.get { color: light-dark(#0b5a2b, #7fdba2); }
.method.post { color: light-dark(#0a4b9e, #8fc1ff); }
.method.put { color: light-dark(#7a4a00, #f2c078); }
.method.delete { color: light-dark(#a11a1a, #ff9d9d); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 0; z-index: 1; padding: 0.5rem; background: var(--paper); }
[hidden] { display: none !important; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 50vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
}
`;
