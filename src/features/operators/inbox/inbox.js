// Shows new messages without a reload, which would take the focus and the place of whoever reads.
const body = document.querySelector('tbody')

async function look() {
  const entries = await (await fetch('inbox.json')).json()
  if (entries.length === body.rows.length && entries[0]?.sentAt === body.rows[0]?.cells[0].textContent) return
  body.replaceChildren(...entries.map(rowOf))
  document.querySelector('table').hidden = entries.length === 0
  document.querySelector('#none').hidden = entries.length > 0
  const latest = entries[0]
  // Digit by digit, as a reader would want to hear it.
  document.querySelector('#news').textContent = latest
    ? `${latest.to}: ${latest.code === null ? latest.text : [...latest.code].join(' ')}`
    : ''
}

function rowOf({ sentAt, channel, to, code, text }) {
  const row = document.createElement('tr')
  const message = document.createDocumentFragment()
  if (code !== null) message.append(element('b', code))
  if (text !== '') message.append(element('p', text))
  for (const content of [sentAt, channel, to, message]) {
    const cell = document.createElement('td')
    cell.append(content)
    row.append(cell)
  }
  return row
}

function element(name, text) {
  const created = document.createElement(name)
  created.textContent = text
  return created
}

// A gateway that is away for a moment is asked again with the next turn.
setInterval(() => look().catch(() => {}), 2000)
