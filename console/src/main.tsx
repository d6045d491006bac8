import './design/tokens.css'
import './design/base.css'
import './design/skeleton.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { session } from './api/session.ts'
import { App } from './app.tsx'
import { startI18n } from './i18n/i18n.ts'
import { loadWords } from './i18n/words.ts'
import { pageOf, warm } from './pages/pages.ts'
import { place } from './place.ts'

// In parallel: the session, the words and the requested page.
void session.refresh()
const words = startI18n(loadWords)
warm(pageOf(location.pathname.slice(place.console.length)))
await words
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
