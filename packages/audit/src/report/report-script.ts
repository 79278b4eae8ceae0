import { hiddenCharacters } from '@ambit/core';

/** The script of the page. It makes elements and sets their text: data of the log never become markup. */
export const script = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const page = 200;
const most = 12;
const order = ['pre_approved', 'needs_approval', 'blocked', 'not judged'];

// Invisible and bidirectional characters are shown by number, as on a terminal.
const unseen = /[\\p{Cc}\\p{Cs}${hiddenCharacters}]/gu;
function seen(text) { return String(text).replace(unseen, (sign) => sign === '\\n' ? sign : '\\\\u{' + sign.codePointAt(0).toString(16) + '}'); }

function make(name, text, kind) {
  const element = document.createElement(name);
  if (text !== undefined && text !== null) element.textContent = seen(text);
  if (kind) element.className = kind;
  return element;
}
// A long name breaks after a joint, and within a word only where nothing else fits.
function broken(element, text) {
  element.replaceChildren(...seen(text).split(/(?<=[./_:\\u002d])/).flatMap((part, index) => index === 0 ? [part] : [document.createElement('wbr'), part]));
  return element;
}
function moment(time) { return new Date(time).toISOString().slice(0, 19).replace('T', ' '); }
function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return milliseconds + ' ms';
  const [size, unit] = seconds < 90 ? [1, 's'] : seconds < 5400 ? [60, 'min'] : seconds < 129600 ? [3600, 'h'] : [86400, 'days'];
  return Number((seconds / size).toPrecision(2)) + ' ' + unit;
}
function add(parent, ...children) { for (const child of children) parent.append(child); return parent; }
function mark(decision, name) { return make(name, decision, 'mark ' + (order.includes(decision) ? decision.replace(' ', '-') : '')); }

function counted(count, what) { return count + ' ' + what + (count === 1 ? '' : 's'); }

function section(title, ...children) { return add(make('section'), make('h2', title), ...children); }

function table(head, rows, shown = most) {
  if (rows.length === 0) return make('p', 'none');
  const made = make('table', null, head.length > 2 ? 'wide' : '');
  const top = add(make('thead'), make('tr'));
  const isText = (value, index) => index > 0 && typeof value === 'string' && value.length > 24;
  head.forEach((name, index) => { const cell = make('th', name, index === 0 || rows.some((row) => isText(row[index], index)) ? '' : 'count'); cell.scope = 'col'; top.firstChild.append(cell); });
  const body = make('tbody');
  for (const row of rows.slice(0, shown)) {
    const line = make('tr');
    row.forEach((value, index) => {
      const cell = index === 0 || isText(value, index) ? broken(make('td', null, index === 0 ? '' : 'text'), value) : make('td', value, 'count');
      if (index > 0 && head[index]) cell.dataset.head = head[index];
      line.append(cell);
    });
    body.append(line);
  }
  add(made, top, body);
  const rest = rows.slice(shown);
  return rest.length === 0 ? made : add(make('div'), made, add(make('details'), make('summary', 'and ' + rest.length + ' more'), table(head, rest, rest.length)));
}
function counts(title, list) { return section(title, table(['', 'calls'], list.map((one) => [one.name, one.count]))); }

function tallies(what, list, shown) {
  const known = order.filter((name) => list.some((one) => one.counts[name]));
  return table([what, ...known], list.map((one) => [one.name, ...known.map((name) => one.counts[name] || 0)]), shown);
}

function chart() {
  const { periods } = data;
  if (periods.length === 0) return section('Decisions over time', make('p', 'none'));
  const highest = Math.max(1, ...periods.map((one) => Object.values(one.counts).reduce((sum, count) => sum + count, 0)));
  const bars = make('div', null, 'chart');
  bars.setAttribute('role', 'img');
  bars.setAttribute('aria-label', 'calls by time and decision; the same figures are in the table below');
  for (const period of periods) {
    const column = make('div', null, 'period');
    column.title = period.name + ': ' + (order.filter((name) => period.counts[name]).map((name) => name + ' ' + period.counts[name]).join(', ') || 'no calls');
    for (const name of order) {
      const count = period.counts[name] || 0;
      if (count === 0) continue;
      const bar = make('div', null, 'bar ' + name.replace(' ', '-'));
      bar.style.height = (count / highest) * 8.5 + 'rem';
      column.append(bar);
    }
    bars.append(column);
  }
  const some = periods.filter((one) => Object.keys(one.counts).length > 0);
  const figures = add(make('details'), make('summary', 'figures'), tallies('from', some, some.length));
  const ends = add(make('p', null, 'ends'), make('span', periods[0].name), make('span', periods.length < 2 ? '' : periods[periods.length - 1].name));
  const legend = add(make('p'), ...order.flatMap((name) => [mark(name, 'span'), ' \u2003 ']));
  return section('Decisions over time', legend, bars, ends, figures);
}

function people() {
  const fatigue = data.statistics.fatigue;
  const said = [counted(fatigue.asked, 'question') + ': ' + fatigue.per_run + ' a run, ' + fatigue.per_hundred_calls + ' in a hundred calls; ' + fatigue.equal + ' repeated an earlier one.'];
  if (fatigue.median_answer !== null) said.push('People answered after ' + duration(fatigue.median_answer) + ' (median); ' + fatigue.approved_at_once + ' were approved within two seconds.');
  for (const one of data.statistics.unasked) said.push('Without a question: ' + one.count + ' ' + one.name + '.');
  const rows = data.statistics.people.map((one) => [one.person, one.approved, one.refused]);
  return section('Questions, and who answered', ...said.map((text) => make('p', text)), ...(rows.length === 0 ? [] : [table(['person', 'approved', 'refused'], rows)]));
}

function load() {
  const { load } = data.statistics;
  const most = load.busiest === null ? '' : ', at most ' + load.busiest.questions + ' in one (' + load.busiest.hour.replace('T', ' ') + ':00 UTC)';
  const made = section('Approval load', make('p', counted(load.questions, 'question') + ' in ' + counted(load.hours, 'hour') + ' with calls: ' + load.per_hour + ' an hour' + most + '.'));
  for (const one of load.rules) if (one.hardly_read) made.append(make('p', 'Warning: ' + one.at_once + ' of ' + counted(one.approved + one.refused, 'answer') + ' to ' + one.rule + ' are yes within two seconds, so its questions are hardly read.', 'doubt'));
  if (load.rules.length > 0) made.append(table(['rule', 'questions', 'an hour', 'approved', 'refused', 'approved within two seconds'], load.rules.map((one) => [one.rule, one.questions, one.per_hour, one.approved, one.refused, one.at_once])));
  if (data.learnt === null || data.learnt.rules.length === 0) return made;
  made.append(make('p', 'Rules that ambit learn proposes would save ' + counted(data.learnt.saves, 'question') + '.'));
  made.append(table(['rule', 'saves', 'newly allows, for example'], data.learnt.rules.map((one) => [one.words, one.saves, one.newly_allows.join('; ') || 'nothing in these logs'])));
  return made;
}

function idle() {
  if (data.idle === null) return section('Rules that never applied', make('p', 'The policies of these runs are unknown here.'));
  return section('Rules that never applied', table(['rule', 'where'], data.idle.map(({ id, at }) => [id, at]), data.idle.length));
}

const { rows } = data;
const times = [];
for (const passed of rows.times) times.push((times.length === 0 ? 0 : times[times.length - 1]) + passed);
const packs = data.texts.map(() => null);

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
// The rows by the places of their texts.
const rowAt = [];
rows.places.forEach((place, index) => { rowAt[place] = index; });
function packOf(index) { return unpacked(Math.floor(rows.places[index] / data.packed)); }

function entry(index) {
  const made = make('details', null, 'call');
  const word = (place) => rows.words[place];
  const did = make('span', null, 'did');
  const about = add(make('span'), broken(make('span'), word(rows.who[index])), ' ', did);
  packOf(index).then(({ texts }) => broken(did, texts[rows.places[index] % data.packed][2].slice(0, 160))).catch(() => undefined);
  const head = add(make('summary'), make('span', moment(times[index])), about, mark(word(rows.decisions[index]), 'span'), make('span', word(rows.outcomes[index])));
  made.append(head);
  made.addEventListener('toggle', async () => {
    if (!made.open || made.childElementCount > 1) return;
    const text = make('pre', '…');
    made.append(text);
    try {
      const { texts } = await packOf(index);
      text.textContent = seen(texts[rows.places[index] % data.packed][0]);
    } catch { text.textContent = 'This browser cannot unpack the text about this call.'; }
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
      lower.forEach((text, place) => { if (words.every((word) => text.includes(word))) hits.push(rowAt[at * data.packed + place]); });
    }
    show(hits.sort((one, other) => one - other));
  };
  let waiting = 0;
  const begin = () => search().catch(() => { found.textContent = 'This browser cannot unpack the texts about these calls.'; });
  input.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(begin, 120); });
  input.addEventListener('focus', unpackAll, { once: true });
  more.addEventListener('click', draw);
  show(all);
  return section('Calls', label, found, list, more);
}

const { statistics } = data;
document.title = seen(data.title);
add(
  document.getElementById('report'),
  make('h1', data.title),
  make('p', counted(statistics.calls, 'call') + ' in ' + counted(statistics.runs, 'run') + (statistics.from === null ? '' : ', from ' + moment(statistics.from) + ' to ' + moment(statistics.to) + ' UTC')),
  chart(),
  add(make('div', null, 'columns'), counts('Decisions', statistics.decisions), counts('Outcomes', statistics.outcomes)),
  section('Rules that decided', table(['', 'decision', 'calls'], statistics.decisive.map((one) => [one.name, one.decision, one.count]))),
  section('Tools', tallies('', data.tools)),
  section('Workers', tallies('', data.workers)),
  section('Questions asked most', table(['', 'asked', 'approved', 'refused'], statistics.questions.map((one) => [one.name, one.count, one.approved, one.refused]))),
  people(),
  load(),
  idle(),
  calls(),
);
`;
