// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the model
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
)

// MaxSize is the most that a model file may have, in bytes.
const MaxSize = 1 << 20

// ErrModel says that a model file is damaged, or of another version.
var ErrModel = errors.New("invalid intent model")

// Layout of a model file: the header, little endian, then the buckets, eight bytes each,
// the coverage bits, eight to a byte, and the SHA-256 of all before it.
const (
	magic      = "MTINTENT"
	version    = 2
	headerSize = 8 + 2 + 1 + 1 + 4 + 4*8 + sha256.Size
)

// Norms below which a sentence counts as that long: few features are weak evidence.
const (
	minChars = 32
	minWords = 12
)

// Params is what training finds out, and a model file holds.
type Params struct {
	// Buckets hold the weights of the features that the model knows.
	Buckets []Bucket
	// Seen has a bit for the upper bits of every n-gram of Reader.Cover met in training;
	// the number of bits is a power of two.
	Seen []byte
	// Scale is what a weight of MaxWeight adds to the margin, divided by MaxWeight; Bias is
	// what every sentence has.
	Scale, Bias float64
	// Slope and Offset turn a margin into log odds.
	Slope, Offset float64
	// Data is the SHA-256 of the training data.
	Data [sha256.Size]byte
}

// Model judges sentences. It is immutable and safe for concurrent use.
type Model struct {
	buckets   []Bucket
	seen      []byte
	seenShift uint
	params    Params
}

// Score is what a Model says about one sentence.
type Score struct {
	// PerMille is the calibrated probability, times 1000, that the sentence installs
	// standing behavior.
	PerMille int
	// CoveragePerMille is the share, times 1000, of the sentence's character n-grams
	// that occur in the training data. Where it is low, PerMille means little.
	CoveragePerMille int
	// Letters is the number of letters, combining marks included.
	Letters int
}

//go:embed model.bin
var embedded []byte

var loadEmbedded = sync.OnceValue(func() *Model {
	m, err := Load(embedded)
	if err != nil {
		panic(fmt.Sprintf("embedded model: %v", err))
	}
	return m
})

// Embedded returns the model that is built in. It panics when that model is
// damaged, which is a defect of the build.
func Embedded() *Model { return loadEmbedded() }

// Load reads a model file. The error wraps ErrModel.
func Load(data []byte) (*Model, error) {
	p, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return NewModel(p)
}

// NewModel returns the model with these parameters. The error wraps ErrModel.
func NewModel(p Params) (*Model, error) {
	if len(p.Buckets) == 0 || len(p.Buckets) > MaxSize/bucketBytes {
		return nil, fmt.Errorf("%w: %d buckets", ErrModel, len(p.Buckets))
	}
	seenBits, ok := powerOfTwo(len(p.Seen) * 8)
	if !ok {
		return nil, fmt.Errorf("%w: %d bytes of coverage", ErrModel, len(p.Seen))
	}
	for _, f := range []float64{p.Scale, p.Bias, p.Slope, p.Offset} {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%w: a factor is not finite", ErrModel)
		}
	}
	runeTable()
	return &Model{buckets: p.Buckets, seen: p.Seen, seenShift: 32 - seenBits, params: p}, nil
}

// powerOfTwo returns the logarithm of a size between 2^8 and 2^24.
func powerOfTwo(n int) (uint, bool) {
	for bits := uint(8); bits <= 24; bits++ {
		if n == 1<<bits {
			return bits, true
		}
	}
	return 0, false
}

// Params returns the parameters of the model. Their slices must not be changed.
func (m *Model) Params() Params { return m.params }

// Score judges one sentence, given with its final punctuation. Its time is linear
// in the length of the sentence, and it does not allocate.
func (m *Model) Score(sentence string) Score {
	var r Reader
	r.Reset(sentence)
	var chars, words, nChars, nWords, known, grams int
	for r.Next() {
		for _, f := range r.Chars() {
			chars += m.buckets[Place(f, len(m.buckets))].weight(f)
		}
		for _, f := range r.Words() {
			words += m.buckets[Place(f, len(m.buckets))].weight(f)
		}
		for _, f := range r.Cover() {
			bit := f >> m.seenShift
			known += int(m.seen[bit>>3] >> (bit & 7) & 1)
		}
		nChars += len(r.Chars())
		nWords += len(r.Words())
		grams += len(r.Cover())
	}
	s := Score{Letters: r.Letters()}
	if grams > 0 {
		s.CoveragePerMille = known * 1000 / grams
	}
	sum := float64(float64(chars)*CharNorm(nChars)) + float64(float64(words)*WordNorm(nWords))
	margin := m.params.Bias + float64(m.params.Scale*sum)
	s.PerMille = int(1000 * Sigmoid(float64(m.params.Slope*margin)+m.params.Offset))
	return s
}

// CharNorm returns the value of each of n features of Reader.Chars. Dividing by the
// root keeps long sentences from both saturating the margin and diluting it.
func CharNorm(n int) float64 { return 1 / math.Sqrt(float64(max(n, minChars))) }

// WordNorm returns the value of each of n features of Reader.Words.
func WordNorm(n int) float64 { return 1 / math.Sqrt(float64(max(n, minWords))) }

// Encode returns the model file with these parameters. The error wraps ErrModel.
func Encode(p Params) ([]byte, error) {
	m, err := NewModel(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(magic)
	head := make([]byte, 0, headerSize)
	head = binary.LittleEndian.AppendUint16(head, version)
	head = append(head, 0, byte(32-m.seenShift))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(p.Buckets))) //nolint:gosec // bounded by NewModel
	for _, f := range []float64{p.Scale, p.Bias, p.Slope, p.Offset} {
		head = binary.LittleEndian.AppendUint64(head, math.Float64bits(f))
	}
	b.Write(head)
	b.Write(p.Data[:])
	for _, bucket := range p.Buckets {
		b.Write(binary.LittleEndian.AppendUint64(nil, uint64(bucket)))
	}
	b.Write(p.Seen)
	sum := sha256.Sum256(b.Bytes())
	b.Write(sum[:])
	if b.Len() > MaxSize {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrModel, b.Len(), MaxSize)
	}
	return b.Bytes(), nil
}

func decode(data []byte) (Params, error) {
	if len(data) > MaxSize || len(data) < headerSize+sha256.Size {
		return Params{}, fmt.Errorf("%d bytes", len(data))
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return Params{}, errors.New("wrong checksum")
	}
	if string(body[:8]) != magic || binary.LittleEndian.Uint16(body[8:]) != version {
		return Params{}, errors.New("unknown format")
	}
	seenBits, buckets := body[11], int(binary.LittleEndian.Uint32(body[12:]))
	if seenBits > 24 || seenBits < 3 || buckets > MaxSize || len(body) != headerSize+bucketBytes*buckets+1<<seenBits/8 {
		return Params{}, errors.New("sizes do not add up")
	}
	var f [4]float64
	for i := range f {
		f[i] = math.Float64frombits(binary.LittleEndian.Uint64(body[16+8*i:]))
	}
	p := Params{Scale: f[0], Bias: f[1], Slope: f[2], Offset: f[3], Data: [sha256.Size]byte(body[48:headerSize])}
	weights, seen := body[headerSize:headerSize+bucketBytes*buckets], body[headerSize+bucketBytes*buckets:]
	p.Buckets = make([]Bucket, buckets)
	for i := range p.Buckets {
		p.Buckets[i] = Bucket(binary.LittleEndian.Uint64(weights[bucketBytes*i:]))
	}
	p.Seen = bytes.Clone(seen)
	return p, nil
}
