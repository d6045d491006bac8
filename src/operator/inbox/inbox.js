// Shows new messages without a reload, which would take the focus and the place of whoever reads.
const body = document.querySelector('tbody')

async function look() {
  const messages = await (await fetch('sms.json')).json()
  if (messages.length === body.rows.length && messages[0]?.sentAt === body.rows[0]?.cells[0].textContent) return
  body.replaceChildren(...messages.map(rowOf))
  document.querySelector('table').hidden = messages.length === 0
  document.querySelector('#none').hidden = messages.length > 0
  const latest = messages.toSorted((a, b) => (a.sentAt < b.sentAt ? 1 : -1))[0]
  // Digit by digit, as a reader would want to hear it.
  document.querySelector('#news').textContent = latest ? `${latest.phone}: ${[...latest.code].join(' ')}` : ''
}

function rowOf({ sentAt, phone, code }) {
  const row = document.createElement('tr')
  const strong = document.createElement('b')
  strong.textContent = code
  for (const content of [sentAt, phone, strong]) {
    const cell = document.createElement('td')
    cell.append(content)
    row.append(cell)
  }
  return row
}

// A gateway that is away for a moment is asked again with the next turn.
setInterval(() => look().catch(() => {}), 2000)
