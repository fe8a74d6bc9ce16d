// What a greeting is written in.
import { expect, it } from 'vitest'
import { languageOfText } from './text-language.ts'

it.each([
  ['Hello, this is Maple Dental. How can I help you?', 'en'],
  ['Thanks for calling Café Olé, what can I get you?', 'en'],
  ['Hola, soy Lucía de la farmacia. ¿Con quién hablo?', 'es'],
  ['Restaurante El Olivo, buenas tardes.', 'es'],
  ['Bonjour, ici le service après-vente, que puis-je faire pour vous ?', 'fr'],
  ['Garage Dupont bonjour, je vous écoute.', 'fr'],
  ['Pronto, sono Giulia della pizzeria da Mario.', 'it'],
  ['Buonasera, come posso aiutarla?', 'it'],
  ['Olá, aqui é a Ana da farmácia. Em que posso ajudar?', 'pt'],
  ['Bom dia, clínica São João, com quem eu falo?', 'pt'],
  ['お電話ありがとうございます。', 'ja'],
  ['您好，请问有什么可以帮您？', 'zh'],
])('%s is in %s', (text, language) => {
  expect(languageOfText(text)).toBe(language)
})

it.each(['', '42', 'Parley.', 'Здравствуйте!', 'नमस्ते'])('of %j nothing is known', (text) => {
  expect(languageOfText(text)).toBeUndefined()
})
