// Shows new messages without a reload, which would lose the reader's focus and position.
const list = document.querySelector('#messages')
const offsetMs = 8 * 3_600_000

async function look() {
  const entries = await (await fetch('inbox.json')).json()
  if (entries.length === list.children.length && entries[0]?.sentAt === list.firstElementChild?.dataset.at) return
  list.replaceChildren(...entries.map(itemOf))
  addButtons()
  document.querySelector('#none').hidden = entries.length > 0
  const latest = entries[0]
  // Digit by digit, as a reader would want to hear it.
  document.querySelector('#news').textContent = latest
    ? `${latest.to}: ${latest.code === null ? latest.text : [...latest.code].join(' ')}`
    : ''
}

function itemOf({ sentAt, channel, to, code, text }) {
  const item = document.createElement('li')
  item.dataset.at = sentAt
  const from = element('span', `${channel} · `)
  from.append(element('span', to, 'to'))
  const time = element('time', beijingTime(sentAt))
  time.dateTime = sentAt
  const head = element('p', '', 'head')
  head.append(from, time)
  item.append(head)
  if (code !== null) {
    const line = element('p', '', 'code')
    line.append(element('b', code))
    item.append(line)
  }
  if (text !== '') item.append(element('p', text, 'text'))
  return item
}

const beijingTime = (sentAt) => new Date(Date.parse(sentAt) + offsetMs).toISOString().slice(5, 19).replace('T', ' ')

/** Without a script there is nothing to copy with, so the buttons are added here. */
function addButtons() {
  for (const line of document.querySelectorAll('.code')) {
    const code = line.querySelector('b').textContent
    const button = element('button', 'Copy 复制')
    button.type = 'button'
    button.setAttribute('aria-label', `Copy 复制 ${code}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code)
      button.textContent = 'Copied 已复制'
    })
    line.append(button)
  }
}

function element(name, text, className = '') {
  const created = document.createElement(name)
  created.textContent = text
  if (className !== '') created.className = className
  return created
}

addButtons()
// A gateway that is away for a moment is asked again with the next turn.
setInterval(() => look().catch(() => {}), 2000)
