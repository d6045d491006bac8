import { checkDocument } from '/verify/history.js'
import { openCheckpoint } from '/verify/signed.js'

// A copy button for the sample that is shown.
const panel = document.querySelector('.samples')
if (panel) {
  const { copy, copied } = document.body.dataset
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = copy
  button.addEventListener('click', async () => {
    const shown = [...panel.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null)
    await navigator.clipboard.writeText(shown.textContent)
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 2000)
  })
  panel.querySelector('pre').before(button)
}

// The receipt next to the claim is verified here, as /verify does it.
const receipt = document.querySelector('#receipt')
if (receipt) {
  const button = receipt.querySelector('button')
  button.addEventListener('click', () => void verify())
  // Readers who save data start it themselves.
  if (navigator.connection?.saveData) button.hidden = false
  else void verify()
}

async function read(path) {
  const response = await fetch(path).catch(() => null)
  // Read either way: a body that is left unread keeps its connection busy.
  const text = await response?.text()
  return response?.ok ? text : null
}

async function verify() {
  const { checking, checked, failed } = receipt.dataset
  const status = receipt.querySelector('.status')
  receipt.querySelector('button').hidden = true
  status.textContent = checking
  const outcome = await verified().catch(() => null)
  receipt.dataset.state = outcome?.ok ? 'good' : 'wait'
  status.textContent = outcome?.ok ? checked : failed
  for (const line of receipt.querySelectorAll('[data-step]')) {
    const step = outcome?.steps.find(({ name }) => name === line.dataset.step)
    line.dataset.state = step?.ok ? 'holds' : 'waits'
  }
  await showOwnLog()
}

async function verified() {
  const { jws, jwks, since } = JSON.parse(await read('/verify/sample.json'))
  return checkDocument(jws, { jwks, tiles: async () => null, seen: [since] })
}

/** A new gateway has no checkpoint yet. */
async function showOwnLog() {
  const line = document.querySelector('#own-log')
  const note = await read('/transparency/checkpoint')
  const keys = note && (await read('/.well-known/jwks.json'))
  const { ok, size } = keys ? await openCheckpoint(note, JSON.parse(keys)).catch(() => ({})) : {}
  if (!ok) return
  line.textContent = line.dataset.words.replace(
    '{{size}}',
    new Intl.NumberFormat(document.documentElement.lang).format(size),
  )
  line.hidden = false
}
