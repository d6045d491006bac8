import { oldestOf, originIn, readSeen, rememberSeen, sizeIn } from './seen.js'
import { verifyReceipt, verifyStatement } from './verify.js'

const find = (id) => document.getElementById(id)
const isChinese = navigator.language.toLowerCase().startsWith('zh')
const say = (en, zh) => (isChinese ? zh : en)

const remember = (note) => rememberSeen(localStorage, note, new Date().toISOString())

function showSeen() {
  const items = readSeen(localStorage).toReversed()
  find('seen').replaceChildren(
    ...items.map(({ note, at }) => {
      const item = document.createElement('li')
      const text = document.createElement('pre')
      text.textContent = note
      item.append(`${at} · ${sizeIn(note)}`, text)
      return item
    }),
  )
}

async function read(path) {
  const response = await fetch(path)
  return response.ok ? response.text() : null
}

const tiles = async (path) => {
  const response = await fetch(`/transparency/${path}`)
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
}

const typeOf = (jws) => {
  try {
    return JSON.parse(atob(jws.split('.')[0].replaceAll('-', '+').replaceAll('_', '/'))).typ
  } catch {
    return null
  }
}

async function verify() {
  const jws = find('receipt').value.trim()
  const keys = await read('/.well-known/jwks.json')
  if (!keys) return show([], say('Could not read the public keys.', '无法读取公钥。'))
  // The oldest of this log: it covers the longest history.
  const since = oldestOf(localStorage, originIn((await read('/transparency/checkpoint')) ?? ''))
  const options = { jwks: JSON.parse(keys), tiles, ...(since && { since }) }
  const check = typeOf(jws) === 'statement+jws' ? verifyStatement : verifyReceipt
  const { ok, steps, payload } = await check(jws, options)
  show(steps, ok ? say('Verified.', '核验通过。') : say('Not verified.', '核验未通过。'))
  find('payload').textContent = payload ? JSON.stringify(payload, null, 2) : ''
  if (ok) remember(payload.checkpoint)
  showSeen()
}

function show(steps, result) {
  find('steps').replaceChildren(
    ...steps.map(({ name, ok, detail }) => {
      const item = document.createElement('li')
      item.dataset.ok = String(ok)
      item.textContent = `${name}: ${detail}`
      return item
    }),
  )
  find('result').textContent = result
}

find('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void verify()
})

find('month').addEventListener('submit', (event) => {
  event.preventDefault()
  const month = new FormData(event.target).get('month')
  if (/^\d{4}-\d{2}$/.test(month)) location.assign(`/v1/console/statements/${month}.jws`)
})

const checkpoint = await read('/transparency/checkpoint')
if (checkpoint) remember(checkpoint)
showSeen()
const chargeId = new URLSearchParams(location.search).get('charge')
if (chargeId && /^chg_\w+$/.test(chargeId)) {
  const jws = await read(`/v1/console/usage/${chargeId}/receipt.jws`)
  if (jws) {
    find('receipt').value = jws
    await verify()
  } else find('result').textContent = say('Sign in to view this receipt.', '请先登录，再查看该回执。')
}
