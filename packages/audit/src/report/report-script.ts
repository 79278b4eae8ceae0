/** The script of the page. It makes elements and puts texts into them: nothing from the log is ever read as markup. */
export const script = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const page = 200;
const most = 12;
const order = ['pre_approved', 'needs_approval', 'blocked', 'not judged'];

function make(name, text, kind) {
  const element = document.createElement(name);
  if (text !== undefined && text !== null) element.textContent = String(text);
  if (kind) element.className = kind;
  return element;
}
function add(parent, ...children) { for (const child of children) parent.append(child); return parent; }
function mark(decision, name) { return make(name, decision, 'mark ' + (order.includes(decision) ? decision.replace(' ', '-') : '')); }

function counted(count, what) { return count + ' ' + what + (count === 1 ? '' : 's'); }

function section(title, ...children) { return add(make('section'), make('h2', title), ...children); }

function table(head, rows) {
  const made = make('table');
  const top = add(make('thead'), make('tr'));
  head.forEach((name, index) => { const cell = make('th', name, index === 0 ? '' : 'count'); cell.scope = 'col'; top.firstChild.append(cell); });
  const body = make('tbody');
  for (const row of rows.slice(0, most)) {
    const line = make('tr');
    row.forEach((value, index) => line.append(index === 0 ? make('td', value) : make('td', value, 'count')));
    body.append(line);
  }
  add(made, top, body);
  return rows.length > most ? add(make('div'), made, make('p', 'and ' + (rows.length - most) + ' more')) : made;
}
function counts(title, list) { return section(title, list.length === 0 ? make('p', 'none') : table(['', 'calls'], list.map((one) => [one.name, one.count]))); }

function chart() {
  const highest = Math.max(1, ...data.days.map((day) => Object.values(day.counts).reduce((sum, count) => sum + count, 0)));
  const bars = make('div', null, 'chart');
  bars.setAttribute('role', 'img');
  bars.setAttribute('aria-label', 'calls by day and decision; the same figures are in the table below');
  for (const day of data.days) {
    const column = make('div', null, 'day');
    column.title = day.day + ': ' + order.filter((name) => day.counts[name]).map((name) => name + ' ' + day.counts[name]).join(', ');
    for (const name of order) {
      const count = day.counts[name] || 0;
      if (count === 0) continue;
      const bar = make('div', null, 'bar ' + name.replace(' ', '-'));
      bar.style.height = (count / highest) * 8.5 + 'rem';
      column.append(bar);
    }
    bars.append(column);
  }
  const rows = data.days.map((day) => [day.day, ...order.map((name) => day.counts[name] || 0)]);
  const figures = add(make('details'), make('summary', 'figures'), table(['day', ...order], rows));
  const legend = add(make('p'), ...order.flatMap((name) => [mark(name, 'span'), ' \u2003 ']));
  return section('Decisions over time', legend, bars, figures);
}

function people() {
  const fatigue = data.statistics.fatigue;
  const said = [fatigue.asked + ' questions: ' + fatigue.per_run + ' a run, ' + fatigue.per_hundred_calls + ' in a hundred calls; ' + fatigue.equal + ' had been asked before, alike.'];
  if (fatigue.median_answer !== null) said.push('People answered after ' + fatigue.median_answer + ' ms (median); ' + fatigue.approved_at_once + ' were approved within two seconds.');
  const rows = data.statistics.people.map((one) => [one.person, one.approved, one.refused]);
  return section('Questions, and who answered', ...said.map((text) => make('p', text)), ...(rows.length === 0 ? [] : [table(['person', 'approved', 'refused'], rows)]));
}

function idle() {
  if (data.idle === null) return section('Rules that never applied', make('p', 'The policies of these runs are not known here.'));
  return section('Rules that never applied', data.idle.length === 0 ? make('p', 'none') : table(['rule'], data.idle.map((id) => [id])));
}

const { rows } = data;
const times = [];
for (const passed of rows.times) times.push((times.length === 0 ? 0 : times[times.length - 1]) + passed);
const packs = data.texts.map(() => null);

/** The texts of one pack of calls: unpacked when somebody first asks for one of them. */
async function unpacked(at) {
  if (packs[at] === null) packs[at] = (async () => {
    const bytes = Uint8Array.from(atob(data.texts[at]), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const texts = JSON.parse(await new Response(stream).text());
    return { texts, lower: texts.map((parts) => parts.join('\\n').toLowerCase()) };
  })();
  return packs[at];
}
function unpackAll() { packs.forEach((_, at) => { unpacked(at).catch(() => undefined); }); }
function packOf(index) { return unpacked(Math.floor(index / data.packed)); }

function entry(index) {
  const made = make('details', null, 'call');
  const word = (place) => rows.words[place];
  const head = add(make('summary'), make('span', new Date(times[index]).toISOString()), make('span', word(rows.who[index])), mark(word(rows.decisions[index]), 'span'), make('span', word(rows.outcomes[index])));
  made.append(head);
  made.addEventListener('toggle', async () => {
    if (!made.open || made.childElementCount > 1) return;
    const text = make('pre', '…');
    made.append(text);
    try {
      const { texts } = await packOf(index);
      text.textContent = texts[index % data.packed][0];
    } catch { text.textContent = 'This browser cannot unpack what is said about this call.'; }
  });
  return made;
}

function calls() {
  const found = make('p');
  found.setAttribute('role', 'status');
  const list = make('div');
  const more = make('button', 'more');
  more.type = 'button';
  const input = make('input');
  input.type = 'search';
  input.id = 'search';
  input.placeholder = 'a tool, a worker, a path, a rule, a person; several words must all be there';
  const label = add(make('label', 'Search every call and its explanation'), input);
  const all = times.map((_, index) => index);
  let shown = all;
  let length = 0;
  let asked = 0;
  const draw = () => {
    const next = shown.slice(length, length + page);
    list.append(...next.map(entry));
    length += next.length;
    more.hidden = length >= shown.length;
  };
  const show = (indices) => {
    shown = indices;
    found.textContent = shown.length + ' of ' + all.length + ' calls';
    list.replaceChildren();
    length = 0;
    draw();
  };
  const search = async () => {
    const mine = asked += 1;
    const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    if (words.length === 0) { show(all); return; }
    found.textContent = 'searching';
    const hits = [];
    unpackAll();
    for (const [at] of packs.entries()) {
      const { lower } = await unpacked(at);
      if (mine !== asked) return;
      lower.forEach((text, place) => { if (words.every((word) => text.includes(word))) hits.push(at * data.packed + place); });
    }
    show(hits);
  };
  let waiting = 0;
  const begin = () => search().catch(() => { found.textContent = 'This browser cannot unpack what is said about these calls.'; });
  input.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(begin, 120); });
  input.addEventListener('focus', unpackAll, { once: true });
  more.addEventListener('click', draw);
  show(all);
  return section('Calls', label, found, list, more);
}

const { statistics } = data;
document.title = data.title;
add(
  document.getElementById('report'),
  make('h1', data.title),
  make('p', counted(statistics.calls, 'call') + ' in ' + counted(statistics.runs, 'run') + (statistics.from === null ? '' : ', from ' + statistics.from + ' to ' + statistics.to)),
  chart(),
  add(make('div', null, 'columns'), counts('Decisions', statistics.decisions), counts('Outcomes', statistics.outcomes), counts('Tools', statistics.tools), counts('Workers', statistics.workers), counts('Rules that decided', statistics.decisive), counts('Questions asked most', statistics.questions)),
  people(),
  idle(),
  calls(),
);
`;
