// The records that statements can hold, and the names of their fields. A new record is a list here.
#include "tik/fields.h"

#include <algorithm>

#include "tik/field_makers.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"
#include "vinci/record/proposal.h"
#include "vinci/record/scatter.h"
#include "vinci/record/vbi.h"

namespace vinci::tik {
namespace {

// Operands, mask, repeats and strides; `more` of a derived record.
template <class R, size_t n = 0>
constexpr auto elementwise(std::array<Field, n> more = {}) {
  const std::array<Field, 12> fields = {
      operand<R, &R::dst>("dst"),
      operand<R, &R::src0>("src0"),
      operand<R, &R::src1>("src1"),
      mask<R>(),
      repeats<R>(),
      number<R, &R::dst_stride, &Stride::block>("dst_block"),
      number<R, &R::dst_stride, &Stride::repeat>("dst_repeat"),
      number<R, &R::src0_stride, &Stride::block>("src0_block"),
      number<R, &R::src0_stride, &Stride::repeat>("src0_repeat"),
      number<R, &R::src1_stride, &Stride::block>("src1_block"),
      number<R, &R::src1_stride, &Stride::repeat>("src1_repeat"),
      scalar<R>(),
  };
  std::array<Field, 12 + n> all;
  std::ranges::copy(fields, all.begin());
  std::ranges::copy(more, all.begin() + fields.size());
  return all;
}

constexpr auto kElementwise = elementwise<ElementwiseRecord>();
constexpr auto kShift =
    elementwise<ShiftRecord, 1>({number<ShiftRecord, &ShiftRecord::round>("round")});
constexpr auto kCast = elementwise<CastRecord, 2>(
    {number<CastRecord, &CastRecord::round>("round"),
     number<CastRecord, &CastRecord::product_in_float>("product_in_float")});
constexpr auto kCastDequant = elementwise<CastDequantRecord, 2>(
    {number<CastDequantRecord, &CastDequantRecord::vector>("vector"),
     number<CastDequantRecord, &CastDequantRecord::high_half>("high_half")});

constexpr auto kCompare = elementwise<CompareRecord, 1>(
    {number<CompareRecord, &CompareRecord::comparison>("comparison")});
constexpr auto kSelect =
    elementwise<SelectRecord, 2>({operand<SelectRecord, &SelectRecord::sel>("sel"),
                                  number<SelectRecord, &SelectRecord::mode>("mode")});

constexpr Field kCompareMask[] = {
    operand<CompareMaskRecord, &CompareMaskRecord::tensor>("tensor"),
};

constexpr Field kGatherMask[] = {
    operand<GatherMaskRecord, &GatherMaskRecord::dst>("dst"),
    operand<GatherMaskRecord, &GatherMaskRecord::src>("src"),
    operand<GatherMaskRecord, &GatherMaskRecord::pattern>("pattern"),
    number<GatherMaskRecord, &GatherMaskRecord::fixed>("fixed"),
    number<GatherMaskRecord, &GatherMaskRecord::counter>("counter"),
    number<GatherMaskRecord, &GatherMaskRecord::elements>("elements"),
    number<GatherMaskRecord, &GatherMaskRecord::repeats>("repeats"),
    number<GatherMaskRecord, &GatherMaskRecord::src_stride, &Stride::block>("src_block"),
    number<GatherMaskRecord, &GatherMaskRecord::src_stride, &Stride::repeat>("src_repeat"),
    number<GatherMaskRecord, &GatherMaskRecord::pattern_repeat_stride>("pattern_repeat"),
};

constexpr Field kBroadcastBlock[] = {
    operand<BroadcastBlockRecord, &BroadcastBlockRecord::dst>("dst"),
    operand<BroadcastBlockRecord, &BroadcastBlockRecord::src>("src"),
    number<BroadcastBlockRecord, &BroadcastBlockRecord::repeats>("repeats"),
    number<BroadcastBlockRecord, &BroadcastBlockRecord::dst_stride, &Stride::block>("dst_block"),
    number<BroadcastBlockRecord, &BroadcastBlockRecord::dst_stride, &Stride::repeat>("dst_repeat"),
};

constexpr Field kGatherBlock[] = {
    operand<GatherBlockRecord, &GatherBlockRecord::dst>("dst"),
    operand<GatherBlockRecord, &GatherBlockRecord::src>("src"),
    operand<GatherBlockRecord, &GatherBlockRecord::offset>("offset"),
    number<GatherBlockRecord, &GatherBlockRecord::repeats>("repeats"),
    number<GatherBlockRecord, &GatherBlockRecord::dst_stride, &Stride::block>("dst_block"),
    number<GatherBlockRecord, &GatherBlockRecord::dst_stride, &Stride::repeat>("dst_repeat"),
};

constexpr Field kGather[] = {
    operand<GatherRecord, &GatherRecord::dst>("dst"),
    operand<GatherRecord, &GatherRecord::src>("src"),
    operand<GatherRecord, &GatherRecord::offset>("offset"),
    number<GatherRecord, &GatherRecord::base>("base"),
    mask<GatherRecord>(),
    repeats<GatherRecord>(),
    number<GatherRecord, &GatherRecord::dst_stride, &Stride::block>("dst_block"),
    number<GatherRecord, &GatherRecord::dst_stride, &Stride::repeat>("dst_repeat"),
};

constexpr Field kScatter[] = {
    operand<ScatterRecord, &ScatterRecord::dst>("dst"),
    operand<ScatterRecord, &ScatterRecord::src>("src"),
    operand<ScatterRecord, &ScatterRecord::offset>("offset"),
    number<ScatterRecord, &ScatterRecord::base>("base"),
    mask<ScatterRecord>(),
    repeats<ScatterRecord>(),
    number<ScatterRecord, &ScatterRecord::src_stride, &Stride::repeat>("src_repeat"),
};

constexpr Field kVbi[] = {
    operand<VbiRecord, &VbiRecord::dst>("dst"),
    operand<VbiRecord, &VbiRecord::src0>("src0"),
    operand<VbiRecord, &VbiRecord::src1>("src1"),
    operand<VbiRecord, &VbiRecord::offset>("offset"),
    mask<VbiRecord>(),
    repeats<VbiRecord>(),
    number<VbiRecord, &VbiRecord::dst_block_stride>("dst_block"),
    number<VbiRecord, &VbiRecord::dst_step>("dst_step"),
    number<VbiRecord, &VbiRecord::terms>("terms"),
    number<VbiRecord, &VbiRecord::factor_each_block>("factor_each_block"),
};

// Operands and bursts of a copy; `more` of its own.
template <class R, size_t n = 0>
constexpr auto copy(std::array<Field, n> more = {}) {
  const std::array<Field, 6> fields = {
      operand<R, &R::dst>("dst"),
      operand<R, &R::src>("src"),
      number<R, &R::bursts, &Bursts::blocks>("bursts"),
      number<R, &R::bursts, &Bursts::length>("length"),
      number<R, &R::bursts, &Bursts::src_gap>("src_gap"),
      number<R, &R::bursts, &Bursts::dst_gap>("dst_gap"),
  };
  std::array<Field, 6 + n> all;
  std::ranges::copy(fields, all.begin());
  std::ranges::copy(more, all.begin() + fields.size());
  return all;
}

using CopyL0C = DataCopyL0CRecord;
constexpr auto kDataCopy = copy<DataCopyRecord>();
constexpr auto kDataCopyL0C = copy<CopyL0C, 6>(
    {operand<CopyL0C, &CopyL0C::scales>("scales"),
     number<CopyL0C, &CopyL0C::enhanced, &EnhancedCopy::block_mode>("block_mode"),
     number<CopyL0C, &CopyL0C::enhanced, &EnhancedCopy::dequant>("dequant"),
     number<CopyL0C, &CopyL0C::enhanced, &EnhancedCopy::sid_store_mode>("sid_store_mode"),
     number<CopyL0C, &CopyL0C::enhanced, &EnhancedCopy::relu>("relu"),
     bits<CopyL0C, &CopyL0C::enhanced, &EnhancedCopy::dequant_value>("dequant_value")});

using Load2D = LoadData2DRecord;
constexpr Field kLoadData2D[] = {
    operand<Load2D, &Load2D::dst>("dst"),
    operand<Load2D, &Load2D::src>("src"),
    number<Load2D, &Load2D::start_index>("start_index"),
    number<Load2D, &Load2D::src_stride>("src_stride"),
    number<Load2D, &Load2D::dst_gap>("dst_gap"),
    number<Load2D, &Load2D::repeats>("repeats"),
    number<Load2D, &Load2D::addr_mode>("addr_mode"),
    number<Load2D, &Load2D::transpose>("transpose"),
};

// What both loads of a feature map have; `more` of their own.
template <class R, size_t n>
constexpr auto load_3d(std::array<Field, n> more) {
  const std::array<Field, 15> fields = {
      operand<R, &R::dst>("dst"),
      operand<R, &R::src>("src"),
      number_at<R, &R::pad, 0>("pad_left"),
      number_at<R, &R::pad, 1>("pad_right"),
      number_at<R, &R::pad, 2>("pad_top"),
      number_at<R, &R::pad, 3>("pad_bottom"),
      number<R, &R::l1_h>("l1_h"),
      number<R, &R::l1_w>("l1_w"),
      number<R, &R::stride_w>("stride_w"),
      number<R, &R::stride_h>("stride_h"),
      number<R, &R::filter_w>("filter_w"),
      number<R, &R::filter_h>("filter_h"),
      number<R, &R::dilation_w>("dilation_w"),
      number<R, &R::dilation_h>("dilation_h"),
      bits<R, &R::pad_value>("pad_value"),
  };
  std::array<Field, 15 + n> all;
  std::ranges::copy(fields, all.begin());
  std::ranges::copy(more, all.begin() + fields.size());
  return all;
}

using Load3D = LoadData3DV1Record;
constexpr auto kLoadData3DV1 = load_3d<Load3D, 9>(
    {number<Load3D, &Load3D::c1_index>("c1_index"),
     number<Load3D, &Load3D::fetch_filter_w>("fetch_filter_w"),
     number<Load3D, &Load3D::fetch_filter_h>("fetch_filter_h"),
     number<Load3D, &Load3D::left_top_w>("left_top_w"),
     number<Load3D, &Load3D::left_top_h>("left_top_h"),
     number<Load3D, &Load3D::jump_stride>("jump_stride"),
     number<Load3D, &Load3D::repeat_mode>("repeat_mode"),
     number<Load3D, &Load3D::repeats>("repeats"), number<Load3D, &Load3D::c_size>("c_size")});

using Load3DV2 = LoadData3DV2Record;
constexpr auto kLoadData3DV2 =
    load_3d<Load3DV2, 6>({number<Load3DV2, &Load3DV2::channels>("channels"),
                          number<Load3DV2, &Load3DV2::k_extension>("k_extension"),
                          number<Load3DV2, &Load3DV2::m_extension>("m_extension"),
                          number<Load3DV2, &Load3DV2::k_start>("k_start"),
                          number<Load3DV2, &Load3DV2::m_start>("m_start"),
                          number<Load3DV2, &Load3DV2::transpose>("transpose")});

constexpr Field kMmad[] = {
    operand<MmadRecord, &MmadRecord::c>("dst"), operand<MmadRecord, &MmadRecord::a>("a"),
    operand<MmadRecord, &MmadRecord::b>("b"),   operand<MmadRecord, &MmadRecord::bias>("bias"),
    number<MmadRecord, &MmadRecord::m>("m"),    number<MmadRecord, &MmadRecord::n>("n"),
    number<MmadRecord, &MmadRecord::k>("k"),    number<MmadRecord, &MmadRecord::is_bias>("is_bias"),
};

constexpr Field kBroadcast[] = {
    operand<BroadcastRecord, &BroadcastRecord::dst>("dst"),
    operand<BroadcastRecord, &BroadcastRecord::src>("src"),
    number<BroadcastRecord, &BroadcastRecord::blocks>("bursts"),
    number<BroadcastRecord, &BroadcastRecord::length>("length"),
    number<BroadcastRecord, &BroadcastRecord::src_gap>("src_gap"),
    number<BroadcastRecord, &BroadcastRecord::dst_gap>("dst_gap"),
};

constexpr Field kFixpipe[] = {
    operand<FixpipeRecord, &FixpipeRecord::dst>("dst"),
    operand<FixpipeRecord, &FixpipeRecord::src>("src"),
    number<FixpipeRecord, &FixpipeRecord::n>("n"),
    number<FixpipeRecord, &FixpipeRecord::m>("m"),
    number<FixpipeRecord, &FixpipeRecord::src_stride>("src_stride"),
    number<FixpipeRecord, &FixpipeRecord::dst_stride>("dst_stride"),
    number<FixpipeRecord, &FixpipeRecord::quant>("quant"),
    number<FixpipeRecord, &FixpipeRecord::row_major>("row_major"),
    number<FixpipeRecord, &FixpipeRecord::relu>("relu"),
    bits<FixpipeRecord, &FixpipeRecord::scale>("scale"),
};

constexpr Field kReduce[] = {
    operand<ReduceRecord, &ReduceRecord::dst>("dst"),
    operand<ReduceRecord, &ReduceRecord::src>("src"),
    mask<ReduceRecord>(),
    repeats<ReduceRecord>(),
    number<ReduceRecord, &ReduceRecord::dst_repeat_stride>("dst_repeat"),
    number<ReduceRecord, &ReduceRecord::src_block_stride>("src_block"),
    number<ReduceRecord, &ReduceRecord::src_repeat_stride>("src_repeat"),
    number<ReduceRecord, &ReduceRecord::order>("order"),
};

constexpr Field kReduceAll[] = {
    operand<ReduceAllRecord, &ReduceAllRecord::dst>("dst"),
    operand<ReduceAllRecord, &ReduceAllRecord::src>("src"),
    operand<ReduceAllRecord, &ReduceAllRecord::work>("work"),
    mask<ReduceAllRecord>(),
    repeats<ReduceAllRecord>(),
    number<ReduceAllRecord, &ReduceAllRecord::src_repeat_stride>("src_repeat"),
    number<ReduceAllRecord, &ReduceAllRecord::with_index>("with_index"),
};

constexpr Field kProposal[] = {
    operand<ProposalRecord, &ProposalRecord::dst>("dst"),
    operand<ProposalRecord, &ProposalRecord::src>("src"),
    number<ProposalRecord, &ProposalRecord::repeats>("repeats"),
    number<ProposalRecord, &ProposalRecord::field>("field"),
};

constexpr Field kBox[] = {
    operand<BoxRecord, &BoxRecord::dst>("dst"),
    operand<BoxRecord, &BoxRecord::src0>("src0"),
    operand<BoxRecord, &BoxRecord::src1>("src1"),
    number<BoxRecord, &BoxRecord::repeats>("repeats"),
};

constexpr Field kSuppress[] = {
    operand<SuppressRecord, &SuppressRecord::matrix>("matrix"),
    operand<SuppressRecord, &SuppressRecord::vector>("vector"),
    number<SuppressRecord, &SuppressRecord::matrix_repeat_stride>("matrix_repeat"),
    number<SuppressRecord, &SuppressRecord::vector_repeat_stride>("vector_repeat"),
    number<SuppressRecord, &SuppressRecord::repeats>("repeats"),
};

constexpr Field kSetProposalRegister[] = {
    bits<SetProposalRegisterRecord, &SetProposalRegisterRecord::value>("value"),
};

constexpr Field kSort32[] = {
    operand<Sort32Record, &Sort32Record::dst>("dst"),
    operand<Sort32Record, &Sort32Record::score>("score"),
    operand<Sort32Record, &Sort32Record::index>("index"),
    number<Sort32Record, &Sort32Record::repeats>("repeats"),
};

constexpr Field kMergeSort[] = {
    operand<MergeSortRecord, &MergeSortRecord::dst>("dst"),
    operands<MergeSortRecord, &MergeSortRecord::src>("src", 2),
    number_at<MergeSortRecord, &MergeSortRecord::lengths, 0>("length0"),
    number_at<MergeSortRecord, &MergeSortRecord::lengths, 1>("length1"),
    number_at<MergeSortRecord, &MergeSortRecord::lengths, 2>("length2"),
    number_at<MergeSortRecord, &MergeSortRecord::lengths, 3>("length3"),
    number<MergeSortRecord, &MergeSortRecord::stop_when_one_is_empty>("stop_when_one_is_empty"),
    number<MergeSortRecord, &MergeSortRecord::valid>("valid"),
    number<MergeSortRecord, &MergeSortRecord::repeats>("repeats"),
};

constexpr Field kTranspose[] = {
    operand<TransposeRecord, &TransposeRecord::dst>("dst"),
    operand<TransposeRecord, &TransposeRecord::src>("src"),
    number<TransposeRecord, &TransposeRecord::repeats>("repeats"),
    number<TransposeRecord, &TransposeRecord::dst_stride>("dst_repeat"),
    number<TransposeRecord, &TransposeRecord::src_stride>("src_repeat"),
};

constexpr Field kTransposeBlocks[] = {
    operands<TransposeBlocksRecord, &TransposeBlocksRecord::dst>("dst", 16),
    operands<TransposeBlocksRecord, &TransposeBlocksRecord::src>("src", 16),
    number<TransposeBlocksRecord, &TransposeBlocksRecord::repeats>("repeats"),
    number<TransposeBlocksRecord, &TransposeBlocksRecord::dst_stride>("dst_repeat"),
    number<TransposeBlocksRecord, &TransposeBlocksRecord::src_stride>("src_repeat"),
    number<TransposeBlocksRecord, &TransposeBlocksRecord::dst_high>("dst_high"),
    number<TransposeBlocksRecord, &TransposeBlocksRecord::src_high>("src_high"),
};

constexpr Field kDataCopyPad[] = {
    operand<DataCopyPadRecord, &DataCopyPadRecord::dst>("dst"),
    operand<DataCopyPadRecord, &DataCopyPadRecord::src>("src"),
    number<DataCopyPadRecord, &DataCopyPadRecord::blocks>("bursts"),
    number<DataCopyPadRecord, &DataCopyPadRecord::length>("length"),
    number<DataCopyPadRecord, &DataCopyPadRecord::src_gap>("src_gap"),
    number<DataCopyPadRecord, &DataCopyPadRecord::dst_gap>("dst_gap"),
    number<DataCopyPadRecord, &DataCopyPadRecord::left>("left"),
    number<DataCopyPadRecord, &DataCopyPadRecord::right>("right"),
    number<DataCopyPadRecord, &DataCopyPadRecord::has_value>("has_value"),
    bits<DataCopyPadRecord, &DataCopyPadRecord::value>("value"),
};

constexpr Field kSetAtomic[] = {dtype<SetAtomicRecord, &SetAtomicRecord::dtype>("dtype")};

constexpr Field kDeqScale[] = {
    number<SetDeqScaleRecord, &SetDeqScaleRecord::form>("form"),
    bits<SetDeqScaleRecord, &SetDeqScaleRecord::half_bits>("half_bits"),
    bits<SetDeqScaleRecord, &SetDeqScaleRecord::word>("word"),
    operand<SetDeqScaleRecord, &SetDeqScaleRecord::table>("table"),
};

constexpr Field kSaturation[] = {
    number<SetSaturationRecord, &SetSaturationRecord::mode>("mode"),
    number<SetSaturationRecord, &SetSaturationRecord::saturate>("saturate"),
};

constexpr Field kImageTranspose[] = {
    operand<ImageTransposeRecord, &ImageTransposeRecord::dst>("dst"),
    operand<ImageTransposeRecord, &ImageTransposeRecord::src>("src"),
    number<ImageTransposeRecord, &ImageTransposeRecord::places>("places"),
    number<ImageTransposeRecord, &ImageTransposeRecord::channels>("channels"),
    number<ImageTransposeRecord, &ImageTransposeRecord::to_places>("to_places"),
};

constexpr RecordType kTypes[] = {
    type<Record>({}),
    type<ElementwiseRecord>(kElementwise),
    type<ShiftRecord>(kShift),
    type<CastRecord>(kCast),
    type<CastDequantRecord>(kCastDequant),
    type<GatherRecord>(kGather),
    type<ScatterRecord>(kScatter),
    type<VbiRecord>(kVbi),
    type<CompareRecord>(kCompare),
    type<SelectRecord>(kSelect),
    type<CompareMaskRecord>(kCompareMask),
    type<GatherMaskRecord>(kGatherMask),
    type<BroadcastBlockRecord>(kBroadcastBlock),
    type<GatherBlockRecord>(kGatherBlock),
    type<ReduceRecord>(kReduce),
    type<ReduceAllRecord>(kReduceAll),
    type<ProposalRecord>(kProposal),
    type<BoxRecord>(kBox),
    type<SuppressRecord>(kSuppress),
    type<SetProposalRegisterRecord>(kSetProposalRegister),
    type<Sort32Record>(kSort32),
    type<MergeSortRecord>(kMergeSort),
    type<TransposeRecord>(kTranspose),
    type<TransposeBlocksRecord>(kTransposeBlocks),
    type<ImageTransposeRecord>(kImageTranspose),
    type<DataCopyRecord>(kDataCopy),
    type<CopyL0C>(kDataCopyL0C),
    type<Load2D>(kLoadData2D),
    type<Load3D>(kLoadData3DV1),
    type<Load3DV2>(kLoadData3DV2),
    type<MmadRecord>(kMmad),
    type<BroadcastRecord>(kBroadcast),
    type<FixpipeRecord>(kFixpipe),
    type<DataCopyPadRecord>(kDataCopyPad),
    type<SetAtomicRecord>(kSetAtomic),
    type<SetDeqScaleRecord>(kDeqScale),
    type<SetSaturationRecord>(kSaturation),
};

}  // namespace

const Field* RecordType::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const RecordType* record_type_of(const Instruction& instruction) {
  const auto found = std::ranges::find(kTypes, instruction.record_type, &RecordType::type);
  return found == std::end(kTypes) ? nullptr : &*found;
}

}  // namespace vinci::tik
