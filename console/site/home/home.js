// A copy button for the sample that is shown.
{
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
}
