// Writes the example's PDF decks: `node make-decks.mjs [FOLDER]`. The same text gives the same bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decks } from './decks.mjs';

const width = 960;
const height = 540;

/** A deck as PDF 1.4: one page a slide, standard fonts, nothing compressed, so that the file can be read as it is. */
export function deckAsPdf({ company, author, slides }) {
  const pageNumber = (index) => 6 + index * 2;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${slides.length} /Kids [${slides.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title ${literal(`${company}: pitch deck`)} /Author ${literal(author)} >>`,
    ...slides.flatMap((slide, index) => {
      const content = drawn(slide, { company, number: `${index + 1} / ${slides.length}` });
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${pageNumber(index) + 1} 0 R ` +
          '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return assembled(objects);
}

/** Objects with the table of their places in bytes, which are characters here: all text is ASCII. */
function assembled(objects) {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

function drawn({ title, lead, points = [], figures = [] }, { company, number }) {
  const shapes = ['0.11 0.16 0.28 rg', `0 ${height - 96} ${width} 96 re f`];
  const texts = [
    text(title, { x: 48, y: height - 60, size: 30, font: 'F2', colour: '1 1 1' }),
    text(company, { x: 48, y: 24, size: 12, colour: '0.45 0.45 0.45' }),
    text(number, { x: width - 80, y: 24, size: 12, colour: '0.45 0.45 0.45' }),
  ];
  let y = height - 150;
  if (lead !== undefined) {
    texts.push(text(lead, { x: 48, y, size: 22, font: 'F2' }));
    y -= 52;
  }
  for (const point of points) {
    shapes.push('0.85 0.42 0.16 rg', `48 ${y + 3} 8 8 re f`);
    texts.push(text(point, { x: 72, y, size: 18 }));
    y -= 38;
  }
  figures.forEach(([value, label], index) => {
    const x = 48 + index * ((width - 96) / figures.length);
    texts.push(text(value, { x, y: 120, size: 40, font: 'F2', colour: '0.85 0.42 0.16' }));
    texts.push(text(label, { x, y: 92, size: 14 }));
  });
  return [...shapes, ...texts].join('\n');
}

function text(words, { x, y, size, font = 'F1', colour = '0.12 0.12 0.12' }) {
  return `BT ${colour} rg /${font} ${size} Tf ${x} ${y} Td ${literal(words)} Tj ET`;
}

function literal(words) {
  if (!/^[\x20-\x7e]*$/.test(words)) throw new Error(`only ASCII can be drawn: ${words}`);
  return `(${words.replace(/[\\()]/g, '\\$&')})`;
}

const folder = process.argv[2] ?? join(import.meta.dirname, 'decks');
mkdirSync(folder, { recursive: true });
for (const deck of decks) writeFileSync(join(folder, deck.file), deckAsPdf(deck), 'latin1');
