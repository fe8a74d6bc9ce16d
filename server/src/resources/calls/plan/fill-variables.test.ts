// Variables in an agent's texts are filled once; where one has no value, the sentence still reads well.
import { describe, expect, it } from 'vitest'
import { variableFiller } from './fill-variables.ts'

const filled = (text: string, values: Record<string, string> = {}) => {
  const filler = variableFiller(values)
  return { text: filler.fill(text), missing: filler.missing }
}

describe('a variable with a value', () => {
  it('is inserted as is, with or without spaces inside the braces', () =>
    expect(filled('Hi {name}, { day }.', { name: 'Ada', day: 'Monday' })).toEqual({
      text: 'Hi Ada, Monday.',
      missing: [],
    }))

  it('that looks like a placeholder is not filled again', () =>
    expect(filled('Hi {name}.', { name: '{day}', day: 'Monday' }).text).toBe('Hi {day}.'))
})

it('braces that do not enclose a variable are kept', () =>
  expect(filled('{"json": 1} {} {1} {a b}')).toEqual({ text: '{"json": 1} {} {1} {a b}', missing: [] }))

it('inherited object properties are not variables', () =>
  expect(filled('{constructor} here.')).toEqual({ text: 'Here.', missing: ['constructor'] }))

it('a missing variable is reported once, however often it is used', () => {
  const filler = variableFiller({ day: ' ' })
  for (const text of ['{name} {name} {day}', 'for {name}']) filler.fill(text)
  expect(filler.missing).toEqual(['name', 'day'])
})

describe('without a value', () => {
  it.each([
    ['Hello {x}, this is Ava.', 'Hello, this is Ava.'],
    ['Hello {x} , this is Ava.', 'Hello, this is Ava.'],
    ['Hello {x}! How are you?', 'Hello! How are you?'],
    ['Hello {x}', 'Hello'],
    ['Hello {x} and welcome.', 'Hello and welcome.'],
    ['Hello  {x}  and welcome.', 'Hello  and welcome.'],
    ['{x}, are you there?', 'Are you there?'],
    ['{x} we are open.', 'We are open.'],
    ['Good day. {x}, are you there?', 'Good day. Are you there?'],
    ['{x}', ''],
    ['{x}{x}', ''],
    ['Dear {x} {x}, hello.', 'Dear, hello.'],
    ['Dear {x}, {x}, hello.', 'Dear, hello.'],
    ['Thank you, {x}.', 'Thank you.'],
    ['Thank you, {x}', 'Thank you'],
    ['Thank you, {x}, good-bye.', 'Thank you, good-bye.'],
    ['We call you ({x}) today.', 'We call you today.'],
    ['We call you ({x}).', 'We call you.'],
    ['Your order "{x}" is here.', 'Your order is here.'],
    ['I am calling from {x}.', 'I am calling.'],
    ['I am calling from {x} about your order.', 'I am calling from about your order.'],
    ['It is on {x} at {x}.', 'It is.'],
    ['Hello Mr. {x}, welcome.', 'Hello, welcome.'],
    ['Mr. {x}, welcome.', 'Welcome.'],
    ['Is this Dr. {x}?', 'Is this?'],
    ['Name: {x}\nDay: {x}\n', 'Name:\nDay:\n'],
    ['- {x}\n- Monday', '-\n- Monday'],
    ['{x}\nYou are Ava.', '\nYou are Ava.'],
    ['Order#{x}a', 'Order#a'],
    ['https://example.com/{x}/menu', 'https://example.com//menu'],
    ['नमस्ते {x}, कैसे हैं?', 'नमस्ते, कैसे हैं?'],
  ])('%j reads %j', (text, expected) => expect(filled(text).text).toBe(expected))
})

it('text away from a missing variable keeps its spaces', () =>
  expect(filled('a  b , c {x}, d  e').text).toBe('a  b , c, d  e'))
