/** Search, and the address of this server in the commands. */
export const DOCS_SCRIPT = `(() => {
  'use strict';
  const words = document.getElementById('words');
  const found = document.getElementById('found');
  const articles = [...document.querySelectorAll('main article')];
  const entries = articles.map((article) => ({
    article,
    link: document.querySelector('nav a[href="#' + CSS.escape(article.id) + '"]')?.parentElement,
    text: (article.id + ' ' + article.textContent).toLowerCase(),
  }));
  const sections = [...document.querySelectorAll('main section, nav section')];

  function search() {
    const terms = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const { article, link, text } of entries) {
      const matches = terms.every((word) => text.includes(word));
      article.hidden = !matches;
      if (link) link.hidden = !matches;
      if (matches) count += 1;
    }
    for (const section of sections) {
      const items = [...section.querySelectorAll('article, li')];
      section.hidden = items.every((item) => item.hidden);
    }
    found.textContent = terms.length === 0 ? '' : count + ' of ' + entries.length + ' match';
  }

  function showTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest('[hidden]')) return;
    words.value = '';
    search();
    target.scrollIntoView();
  }

  document.getElementById('origin').textContent = location.origin;
  document.getElementById('search').hidden = false;
  words.addEventListener('input', search);
  addEventListener('hashchange', showTarget);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === words) return;
    event.preventDefault();
    words.focus();
  });
})();
`;
